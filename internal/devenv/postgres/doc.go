// Package postgres runs private PostgreSQL clusters: one that `docqa dev` keeps
// (Start) and one that all test programs of a machine share (Shared).
//
// It knows nothing of the product's schema, and a production database is none of
// its business. Invariants: a server never outlives the programs that use it, also
// when those are killed; it runs as an ordinary user, also for root; and a data
// folder is either whole or not there, since initdb works beside it.
package postgres
