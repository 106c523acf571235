// Package wire holds what the clients of all hosted providers share: the HTTP client, one
// POST of JSON, the error of a status that is not 200, and server-sent events.
//
// It knows no provider. Its invariant: it holds only a bounded part of an answer in memory,
// and every failure of a provider is an Error.
package wire
