// Package models holds the catalog of models that may write answers: the public ids from which
// a client may choose, and what the service needs to call each model. provider/llm knows how a
// model is called.
//
// Its invariant: the built-in model is always there, and a catalog that was read without
// problems holds everything that a call of each model needs.
//
// Source: main API section 2 (Project, chatModelArn).
package models
