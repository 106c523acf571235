// Package apikeys issues, verifies, lists and revokes the keys of projects.
//
// Only the answer that issues a key contains its secret; the database stores a keyed hash.
// A verified key is cached for less than a second, so that a revocation takes effect in
// every process within one second.
//
// It does not check Origin, address, plan or rate: package edge does.
//
// Source: main API sections 2 (API key) and 5; docs/decisions.md#api-keys.
package apikeys
