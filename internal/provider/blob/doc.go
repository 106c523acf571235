// Package blob keeps files in one bucket of an S3 service.
//
// It knows keys and bytes, no tenants and no documents. Addresses for clients are
// signed for the public endpoint, everything else goes to the service's own. Its
// invariant: an object that is not there is always ErrNotFound, whatever the server
// calls it.
package blob
