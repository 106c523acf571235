// Package llm is what a model that writes answers must offer, and what a provider's
// API must offer for one to be made of it.
//
// It holds no model, no prompt and no retry: the packages below it do, each one of
// these. Its invariant: an answer rests on the request's passages alone and names them
// as [n]; a model that finds no answer there says so instead of writing one.
package llm
