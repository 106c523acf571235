// Package search finds the passages of a project that a question is about, and keeps the
// indexes that large projects are searched by.
//
// Small projects are searched exactly: BM25 and, where the project has vectors, the inner
// product with the question's vector, of every chunk. Large projects get postings and an
// index of vectors (LargeIndexer). Both sides are fused and put in the learned order. The
// package writes no answer and makes no vectors of chunks. Its invariants: what it returns
// is verbatim what was indexed, of the one project asked for; a chunk is found from the
// moment when its ingestion was committed; vectors of different models are never mixed; an
// index that failed to build is never used.
package search
