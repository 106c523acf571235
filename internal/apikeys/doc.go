// Package apikeys issues, verifies, lists and revokes the keys of projects.
//
// A secret stands in clear only in the answer that issues it; the database stores a keyed
// hash. A verified key is cached for less than a second, so that a revocation takes effect
// in every process within one second.
//
// It does not check Origin, address, plan or rate: the edge does.
//
// Source: main API sections 2 (API key) and 5; docs/decisions.md#api-keys.
package apikeys
