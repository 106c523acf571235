// Package idempotency answers a repeated request with the answer to the first one.
//
// One transaction makes the change and stores the answer. Of several requests with one key
// at the same time, one makes the change and the others wait for its answer. A request that
// fails stores nothing. The database has neither the caller's key nor the answer in clear:
// it stores a keyed hash of the key, and the answer encrypted with a key derived from it. The
// package does not know HTTP.
//
// Source: docs/decisions.md#idempotency-keys.
package idempotency
