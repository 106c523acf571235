// Package app is the one place where the parts are put together: the service itself
// (API and workers), the development that embeds what the service needs, and what the
// operator's commands do. It decides nothing about the product.
package app
