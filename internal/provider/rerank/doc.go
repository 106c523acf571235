// Package rerank scores how well passages answer a question. It uses a cross-encoder of the
// BERT family in this process: a model that reads question and passage together.
//
// It neither searches nor sorts. Its invariant: a score is between 0 and 1, and a failure is an
// error, never a missing score.
package rerank
