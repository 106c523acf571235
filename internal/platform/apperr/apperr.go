package apperr

import (
	"errors"
	"time"
)

// Kind is the class of an error; each has one HTTP status.
type Kind int

// The kinds, in the order of their statuses.
const (
	KindInternal         Kind = iota // 500
	KindInvalidInput                 // 400
	KindUnauthenticated              // 401
	KindPaymentRequired              // 402
	KindForbidden                    // 403
	KindNotFound                     // 404
	KindMethodNotAllowed             // 405
	KindConflict                     // 409
	KindTooLarge                     // 413
	KindUnsupportedMedia             // 415
	KindRateLimited                  // 429
	KindNotImplemented               // 501
	KindProviderFailed               // 502
	KindUnavailable                  // 503
	KindTimeout                      // 504
)

// Detail names one member that failed validation.
type Detail struct {
	Path    string // JSON pointer or parameter name
	Message string
}

// Error is an error whose message the client may read.
type Error struct {
	Kind       Kind
	Message    string // safe for the client
	Code       Code
	Details    []Detail
	Setting    string        // with not_configured: the setting that is missing
	Blockers   []string      // with not_ready: the checks that failed
	AccessMode string        // the access mode of a private share
	Allow      string        // with KindMethodNotAllowed: the allowed methods
	RetryAfter time.Duration // value of the header Retry-After; 0: no header
	Err        error         // the cause, for the log only
}

// Error returns the message and, if there is one, the cause.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Wrap returns a copy of e with err as its cause.
func (e *Error) Wrap(err error) *Error {
	c := *e
	c.Err = err
	return &c
}

// New returns an error of kind with a stable code and a text for the client.
func New(kind Kind, code Code, message string) *Error {
	return &Error{Kind: kind, Code: code, Message: message}
}

// Invalid returns a 400.
func Invalid(code Code, message string) *Error { return New(KindInvalidInput, code, message) }

// Validation returns a 400 validation_error that names the member at path (a JSON pointer).
func Validation(path, message string) *Error {
	name := path
	if len(name) > 0 && name[0] == '/' {
		name = name[1:]
	}
	e := New(KindInvalidInput, CodeValidationError, name+": "+message)
	e.Details = []Detail{{Path: path, Message: message}}
	return e
}

// NotFound returns the same 404 for a resource that does not exist and for one of another
// company.
func NotFound() *Error { return New(KindNotFound, CodeNotFound, "not found") }

// Forbidden returns a 403.
func Forbidden(code Code, message string) *Error { return New(KindForbidden, code, message) }

// Conflict returns a 409.
func Conflict(code Code, message string) *Error { return New(KindConflict, code, message) }

// MethodNotAllowed returns the 405 of a path that has only the methods in allow, the value of
// the header Allow.
func MethodNotAllowed(allow, message string) *Error {
	err := New(KindMethodNotAllowed, CodeMethodNotAllowed, message)
	err.Allow = allow
	return err
}

// NotConfigured returns the 503 of a feature whose setting is missing.
func NotConfigured(setting string) *Error {
	e := New(KindUnavailable, CodeNotConfigured, "a required setting is missing on the server")
	e.Setting = setting
	return e
}

// NotImplemented returns the 501 of an operation that is published but not built yet.
func NotImplemented() *Error {
	return New(KindNotImplemented, CodeNotImplemented, "this operation is not implemented yet")
}

// TryAgain returns the 503 of a request that failed because a system that the service needs
// cannot be reached. err is the cause.
func TryAgain(err error) *Error {
	e := New(KindUnavailable, CodeUnavailable, "the service is not available, try again")
	e.RetryAfter = time.Second
	return e.Wrap(err)
}

// Fault returns the 500 of an unexpected error, which is a fault of the service. err is the
// cause.
func Fault(err error) *Error { return New(KindInternal, CodeInternalError, "internal error").Wrap(err) }

// ShuttingDown returns the 503 of a request that could not end before this process stops.
// Another process can answer it.
func ShuttingDown() *Error {
	e := New(KindUnavailable, CodeShuttingDown, "the service is restarting, ask again")
	e.RetryAfter = time.Second
	return e
}

// KindOf returns the kind of the first Error in err's chain, KindInternal if there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return KindInternal
}

// CodeOf returns the code of the first Error in err's chain, "" if there is none.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}
