// Package answering learns which statement answers a question, and whether any does:
// the models of engine/answer.
//
// It asks no service. Its invariants: what a model is judged by was not among what it
// learned from; the same laboratory gives the same models.
package answering
