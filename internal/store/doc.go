// Package store connects to Postgres: the pool as the application's role, transactions,
// batches, the company of a connection (row-level security), migrations and the meaning of
// errors.
//
// Its invariant: a connection taken from the pool sees only the rows of the context's
// company; for a context without a company it sees no tenant's rows at all. Queries
// are in gen/dbsqlc; rules of the product are in the services.
package store
