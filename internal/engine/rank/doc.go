// Package rank puts the passages that the index found in a better order: it reads
// them, where the index only counts their words.
//
// It finds nothing that the index did not. Its invariant: the order depends on the
// question and the passages alone, and equal passages keep the order they came in.
package rank
