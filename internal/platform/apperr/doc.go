// Package apperr holds the one error type that every layer may use.
//
// An Error keeps what the client may read (message, stable code) separate from its cause,
// which only the log shows. Any other error is a fault of the service: 500 with a fixed text.
//
// Source: main API section 7; docs/decisions.md#error-codes.
package apperr
