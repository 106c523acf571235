// Package forest computes the score that a small learned model gives to a list of features: the
// sum of many shallow trees, of weights, or of both.
//
// It trains nothing and reads no file. Its invariants: the same features give the same score; a
// score is finite if the features are.
package forest
