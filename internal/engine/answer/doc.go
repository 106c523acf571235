// Package answer composes an answer from the best statements of the passages found,
// without any model outside of the process, and judges whether they answer the question
// at all. What it weighs statements and judgements by was learned (models/, written by
// eval/cmd/learn).
//
// It searches nothing and writes no word of its own. Its invariants: every statement of
// an answer is a sentence of a passage without its markup and the schemes of its
// addresses, a table row with the names of its columns, or a list with the caption that
// announces it, and holds the number of that passage in brackets; no statement is a
// heading or a question; the same passages give the same answer.
package answer
