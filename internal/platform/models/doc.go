// Package models holds the catalog of models that may write answers: what a client
// may choose, under the public ids it sees, and what the service needs to call each.
// How a model is called is the business of provider/llm.
//
// Its invariant: the built-in model is always there, and a catalog that was read
// without problems names for each model everything that a call needs.
//
// Source: main API section 2 (Project, chatModelArn).
package models
