// Package store holds the way to Postgres: the pool as the application's role,
// transactions, the company of a connection (row-level security), migrations and
// the names of constraints.
//
// Its invariant: a connection taken from the pool sees the rows of the context's
// company alone; a context that names none sees no tenant's rows at all. Queries
// live in gen/dbsqlc; rules of the product live in the services above.
package store
