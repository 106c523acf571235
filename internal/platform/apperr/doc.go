// Package apperr holds the one error type that crosses the layers on purpose.
//
// An Error carries what the client may read (message, stable code) apart from its
// cause, which only the log sees. Any other error is a fault of the service: 500
// with a fixed text.
//
// Source: main API section 7; docs/decisions.md#error-codes.
package apperr
