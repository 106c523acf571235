// Package fit trains the models of engine/forest on examples.
//
// It knows no data set and measures nothing. Its invariant: the same examples and options give the same model.
package fit
