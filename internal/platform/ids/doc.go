// Package ids makes and recognises the opaque identifiers of the API.
//
// An id is a typed prefix, an underscore and 26 lower-case Crockford base32
// characters of a UUIDv7, so ids of one kind sort by the time of creation.
// Clients must not parse them; the service only checks prefix and alphabet.
//
// Source: main API section 2 (identifiers are opaque strings).
package ids
