// Package apikeys issues, verifies, lists and revokes the keys of projects.
//
// A secret exists in clear only in the answer that issues it: the database holds a
// keyed hash. What is remembered of a verified key lives for less than a second, so
// that a revocation is effective everywhere within one.
//
// It does not judge Origin, address, plan or rate: that is the edge's part.
//
// Source: main API sections 2 (API key) and 5; docs/decisions.md#api-keys.
package apikeys
