// Package rank sorts the passages that the index found by a learned model, which uses more
// than the index: where the words of the question stand, and how the passages compare.
//
// It finds no other passages. Its invariant: the order depends only on the question and the
// passages, and equal passages keep their order.
package rank
