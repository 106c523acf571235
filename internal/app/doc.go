// Package app builds the service: it is the one place where API, services, providers and
// workers are put together, for production, for docqa dev and for tests. It decides nothing
// about the product.
package app
