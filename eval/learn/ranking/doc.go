// Package ranking learns the order of passages from the laboratory's collections and
// judges it on documents, and on whole collections, that it was not learned from.
//
// It decides nothing about features, which are engine/rank's. Its invariant: the same
// data gives the same weights.
package ranking
