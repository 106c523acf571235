// Package dbtest gives every test a migrated Postgres database of its own.
//
// One cluster serves all test programs. The schema is migrated once into a template
// that is named after its hash; databases are cloned from it, used by one test at a
// time, emptied and used again, by other test programs too. It holds no factories.
// Its invariant: a test sees no row that it did not make, and works as the
// application's role, which row-level security binds.
package dbtest
