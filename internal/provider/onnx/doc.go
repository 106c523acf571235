// Package onnx opens the folder of a model of the BERT family and runs its graph in this
// process by ONNX Runtime.
//
// What goes in and what comes out is the caller's affair: vectors in package embed,
// judgements in package rerank. Its invariant: a graph that takes or gives something else
// than it is opened for is refused then, never while it runs.
package onnx
