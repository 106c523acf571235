// Package llm is what a model that writes answers must offer: one answer at once, or
// in fragments as they come.
//
// It holds no model, no prompt and no retry. Its invariant: an answer rests on the
// request's passages alone and names them as [n]; a model that finds no answer there
// says so instead of writing one.
package llm
