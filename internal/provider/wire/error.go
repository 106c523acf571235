package wire

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	messageBytes  = 512 // of an error's body are logged
	maxRetryAfter = time.Minute
)

// Error is a provider's failure. It may hold the beginning of the provider's answer, for the
// log, but no credential.
type Error struct {
	Status     int           // HTTP status; 0: no answer came, or it broke off
	Temporary  bool          // the same call may succeed later
	RetryAfter time.Duration // the wait that the provider asks for; 0: none
	Err        error
}

// Error describes the failure for the log.
func (e *Error) Error() string {
	if e.Status == 0 {
		return "provider: " + e.Err.Error()
	}
	return fmt.Sprintf("provider: status %d: %v", e.Status, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Broken returns the error of a connection that failed or broke off.
func Broken(err error) error { return &Error{Temporary: true, Err: err} }

// Malformed returns the error of an answer that does not follow the provider's protocol.
func Malformed(what string) error { return &Error{Temporary: true, Err: errors.New(what)} }

// Reported returns the error that the provider sent within an answer; kind is the provider's
// name of the error.
func Reported(kind string, temporary bool) error {
	return &Error{Temporary: temporary, Err: fmt.Errorf("the provider reported %.100q", kind)}
}

// refused returns the error of a status other than 200, with the beginning of the body.
func refused(resp *http.Response) error {
	message, _ := io.ReadAll(io.LimitReader(resp.Body, messageBytes))
	e := &Error{
		Status: resp.StatusCode, Err: fmt.Errorf("the provider answered %q", message),
		Temporary: resp.StatusCode == http.StatusRequestTimeout || resp.StatusCode == http.StatusTooManyRequests ||
			resp.StatusCode >= http.StatusInternalServerError,
	}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.RetryAfter = min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	return e
}
