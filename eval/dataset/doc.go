// Package dataset reads folders of evaluation data: documents, and questions with the
// place of their answer.
//
// It knows the files' format and nothing of the service. Its invariant: a question
// that names a place names a document of its set.
package dataset
