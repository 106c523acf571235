// Package vectors holds the models that make vectors in this process, and keeps every
// project's vectors whole.
//
// It searches nothing. Its invariants: a model is named by what it is, and vectors of
// different names are never mixed; questions of a project are answered by one model's
// vectors at a time, which changes in one transaction when every chunk has one of the next.
package vectors
