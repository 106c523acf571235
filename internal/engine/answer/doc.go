// Package answer composes an answer from the best statements of the passages found, and
// computes the confidence that they answer the question. It uses no model outside of the
// process: its weights were learned (models/, written by eval/cmd/learn).
//
// It searches nothing and adds no word of its own. Its invariants: every statement of
// an answer is a sentence of a passage without its markup and the schemes of its
// addresses, a table row with the names of its columns, or a list with the caption that
// announces it, and holds the number of that passage in brackets; no statement is a
// heading or a question; the same passages always give the same answer.
package answer
