// Package retrieval finds the passages of a project that a question is about.
//
// It judges every chunk of the project in the database, by BM25 with document frequencies
// that it keeps in the process and by the vectors of the project's model, fuses both, and
// reads the best of them for their order. It writes no answer and stores nothing. Its
// invariant: what it returns is verbatim what was indexed, of the one project asked for,
// and it says by what it was found.
package retrieval
