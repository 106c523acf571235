// Package forest computes what a small learned model says of a list of features: the
// sum of many shallow trees, or of weights, or of both.
//
// It learns nothing and reads no file. Its invariants: the same features give the same
// score; a score is finite where the features are.
package forest
