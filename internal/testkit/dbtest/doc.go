// Package dbtest gives every test a migrated Postgres database of its own.
//
// One cluster serves all test programs. The schema is migrated once into a template that is
// named after its hash. Databases are clones of it; each is used by one test at a time,
// emptied and used again, also by other test programs. The package makes no rows. Its
// invariant: a test sees only rows that it made, and works as the application's role, to which
// row-level security applies.
package dbtest
