// Package apitype holds the Go types that generated API code uses for formats
// of the contract which the generator has no exact type for. It knows nothing
// of any resource. Whatever it writes, it can read back unchanged.
package apitype
