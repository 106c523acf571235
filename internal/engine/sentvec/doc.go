// Package sentvec packs the vectors of a chunk's sentences into one value and compares
// them with the vector of a question.
//
// It makes no vectors and finds no sentences. Its invariant: Cosines reads what Pack wrote,
// with an error of each cosine below 0.02. Other bytes give no scores, never a panic.
package sentvec
