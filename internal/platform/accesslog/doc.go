// Package accesslog writes one line for each request, so that everything to filter or count by
// is in one place.
//
// It never holds a credential, a query string or a body.
package accesslog
