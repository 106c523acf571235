// Package search measures searches: by keywords (P6), by vectors and hybrid in a collection of many tenants (P4, P5), and while the
// installation and one project grow (P12).
//
// It writes the chunks straight into the database, as ingestion would leave them: a million of them would take the parser and the
// embedding model hours. Its invariant: other products search the same chunks for the same questions.
package search
