// Package apitype holds Go types for formats of the contract for which the generator of the
// API code has no exact type. It knows no resource. Its invariant: it can read everything that
// it writes, and gets the same value.
package apitype
