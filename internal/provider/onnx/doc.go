// Package onnx opens the folder of a model of the BERT family and runs its graph in this
// process by ONNX Runtime.
//
// It does not know what the results mean: package embed makes vectors of them, package rerank
// scores. Its invariant: a graph whose inputs or outputs differ from the expected ones is
// refused when it is opened, not when it runs.
package onnx
