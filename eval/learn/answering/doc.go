// Package answering trains the models of engine/answer, which choose the statement that answers a question and say how likely it does.
//
// It calls no service. Its invariants: a model is tested on examples that it was not trained on; the same data gives the same models.
package answering
