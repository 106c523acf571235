// Package idempotency answers a repeated request with the answer to the first one.
//
// Effect, record and answer are one transaction: of any number of requests with one key
// at the same time one has its effect and the others wait for its answer; a request that
// fails leaves nothing. The database learns neither the caller's key nor the answer: it
// holds a keyed hash of the one, and the other sealed under it. It knows no HTTP.
//
// Source: docs/decisions.md#idempotency-keys.
package idempotency
