// Package search finds the passages of a project that fit a question, and maintains the
// large indexes.
//
// A small project is searched exactly: every chunk gets its BM25 score and, if the project
// has vectors, the inner product with the question's vector. A large project gets postings
// and an index of vectors (LargeIndexer). Both scores are fused, and the candidates are
// ordered by the learned ranking. The package writes no answers and makes no vectors of
// chunks.
//
// Its invariants: passages are verbatim what was indexed, and all are of the one project
// that was asked for; a chunk is found as soon as its ingestion is committed; vectors of
// different models are never compared; an index that failed to build is never used.
package search
