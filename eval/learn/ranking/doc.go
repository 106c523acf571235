// Package ranking trains the models of engine/rank, which order passages, and tests them on documents and on whole sets that they were
// not trained on.
//
// The features are those of engine/rank. Its invariant: the same data gives the same weights.
package ranking
