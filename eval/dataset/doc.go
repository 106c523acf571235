// Package dataset reads folders of evaluation data: documents, and questions with the place of their answer.
//
// It knows the format of the files and nothing about the service. Its invariant: the place of an answer is in a document of the same
// set.
package dataset
