// Package embed turns texts into vectors whose inner product says how similar the texts are.
// The vectors come from a model in this process, or from a hosted model: a server that speaks
// OpenAI's protocol, or Amazon Bedrock.
//
// It stores nothing and searches nothing. Its invariant: all vectors of an Embedder have
// the length Dimensions and the norm 1; a failure is an error, never a missing or a zero
// vector.
package embed
