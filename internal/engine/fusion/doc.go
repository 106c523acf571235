// Package fusion combines two scores of the same passages, one by words and one by vectors, to
// order them and to compute the relevance that callers see.
//
// It reads no passage. Its invariant: the result depends only on the scores and lies between 0
// and 1, and a passage that is better by both scores is never behind.
package fusion
