// Package answer composes an answer from the best sentences of the passages found,
// without any model, and judges whether they answer the question at all.
//
// It searches nothing and writes no word of its own. Its invariant: every statement
// of an answer is a sentence of a passage without its markup, or a table row with the
// names of its columns, and holds the number of that passage in brackets.
package answer
