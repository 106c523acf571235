// Package embedding makes the vectors of a project's chunks, and makes them anew for another model.
//
// It answers no question. Its invariant: the vectors of one model answer a project's
// questions at a time, and this changes in one transaction, when every chunk has a vector
// of the next model.
package embedding
