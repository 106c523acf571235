// Package accesslog writes one canonical line for each request: everything that one
// wants to filter or count by stands in one place.
//
// It never holds a credential, a query string or a body.
package accesslog
