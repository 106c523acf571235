// Package llm holds the interfaces of models: Model, which writes answers from passages, and
// Client, the API of a provider, of which a Model can be made.
//
// It holds no model, no prompt and no retry: each of these has a package below it. Its
// invariant: an answer uses only the passages of the request and cites them as [n]; a model
// that finds no answer in them says so instead of writing one.
package llm
