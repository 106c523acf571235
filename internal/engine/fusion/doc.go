// Package fusion brings two judgements of the same passages together, one by words and
// one by meaning: for their order, and for the relevance that callers see.
//
// It reads no passage. Its invariant: what it answers depends on the scores alone and is
// 0 to 1, and a passage that is better by both is never behind.
package fusion
