// Package answer composes an answer from the best sentences of the passages found,
// without any model, and judges whether they answer the question at all.
//
// It searches nothing and writes no word of its own. Its invariant: every statement
// of an answer stands in a passage, but for markup and line ends, and is followed by
// the number of that passage in brackets.
package answer
