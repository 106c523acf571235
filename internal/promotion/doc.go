// Package promotion gives projects of many chunks indexes of their own, and takes them
// away from those that have shrunk.
//
// Small projects are searched exactly, which costs a fraction of a microsecond a chunk and
// finds everything; an index over all companies would find half of it under a project's
// filter. It searches nothing itself. Its invariants: a search of a promoted project finds
// a chunk from the moment when its ingestion was committed; an index that failed to build
// is never used.
package promotion
