// Package postgres runs private PostgreSQL clusters: one for `docqa dev`, which stays over
// restarts (Start), and one that all test programs of a machine share (Shared).
//
// It does not know the product's schema and is not for production. Invariants: a server never
// outlives the programs that use it, even if those are killed; it runs as an ordinary user,
// also for root; a data folder is complete or absent, because initdb works in a folder beside
// it that is renamed at the end.
package postgres
