// Package fit learns the models of engine/forest from examples.
//
// It knows no data set and measures nothing. Its invariant: the same examples and
// options give the same model.
package fit
