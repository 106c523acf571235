// Package blob keeps files in one bucket of an S3 service.
//
// It knows keys and bytes, no tenants and no documents. Addresses for clients are signed for
// the public endpoint; the service itself uses its own endpoint. Its invariant: a missing
// object is always ErrNotFound, whatever error the server sends.
package blob
