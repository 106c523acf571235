// Package retrieval finds the passages of a project that a question is about.
//
// It judges every chunk of the project by BM25 in the database, with document
// frequencies that it keeps in the process, and ranks the best of them. It writes no
// answer and stores nothing. Its invariant: what it returns is verbatim what was
// indexed, of the one project asked for.
package retrieval
