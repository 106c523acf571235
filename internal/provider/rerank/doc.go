// Package rerank judges how well passages answer a question by a model that reads both
// together: a cross-encoder of the BERT family in this process.
//
// It finds nothing and orders nothing. Its invariant: a judgement is between 0 and 1, and
// a failure is an error, never a missing one.
package rerank
