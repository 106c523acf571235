package edge

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	ht "github.com/ogen-go/ogen/http"
	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/ogen-go/ogen/openapi"
	"github.com/ogen-go/ogen/validate"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/limits"
)

// Classifier turns any error into the one that the client reads.
type Classifier struct {
	unavailable func(error) bool // the database or the storage cannot be reached
}

// Classify is the only place that decides what an error looks like outside. What it
// does not know is a fault of the service: a fixed text outside, the cause in the log.
func (c Classifier) Classify(err error) *apperr.Error {
	if e, ok := errors.AsType[*apperr.Error](err); ok {
		return e
	}
	if _, ok := errors.AsType[*ogenerrors.SecurityError](err); ok {
		if errors.Is(err, ogenerrors.ErrSecurityRequirementIsNotSatisfied) {
			return unauthenticated()
		}
		return c.fault(err)
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return apperr.New(apperr.TooLarge, "payload_too_large", "the request body is larger than "+strconv.Itoa(limits.BodyBytes)+" bytes")
	}
	if e, ok := errors.AsType[*ogenerrors.DecodeParamsError](err); ok {
		return classifyParams(e)
	}
	if _, ok := errors.AsType[*validate.InvalidContentTypeError](err); ok {
		return apperr.New(apperr.UnsupportedMedia, "unsupported_media_type", "use Content-Type application/json")
	}
	if e, ok := errors.AsType[*ogenerrors.DecodeRequestError](err); ok {
		return classifyBody(e)
	}
	if errors.Is(err, ht.ErrNotImplemented) {
		return apperr.NotImplemented()
	}
	return c.fault(err)
}

// fault is an error that is not the client's: what the service stands on is away, or
// there is a bug.
func (c Classifier) fault(err error) *apperr.Error {
	if c.unavailable != nil && c.unavailable(err) {
		return apperr.TryAgain(err)
	}
	return apperr.Fault(err)
}

func unauthenticated() *apperr.Error {
	return apperr.New(apperr.Unauthenticated, "unauthenticated", "missing or invalid credentials")
}

// classifyParams reads a parameter that did not decode: a malformed path id names
// nothing, and is answered as an unknown one.
func classifyParams(err *ogenerrors.DecodeParamsError) *apperr.Error {
	p, ok := errors.AsType[*ogenerrors.DecodeParamError](err)
	if !ok {
		return apperr.Invalid("validation_error", "a parameter is not valid")
	}
	if p.In == openapi.LocationPath {
		return apperr.NotFound()
	}
	return apperr.Validation(p.Name, reason(p.Err))
}

// Status returns the HTTP status of a kind.
//
// Source: main API section 7.
func Status(k apperr.Kind) int {
	switch k {
	case apperr.InvalidInput:
		return http.StatusBadRequest
	case apperr.Unauthenticated:
		return http.StatusUnauthorized
	case apperr.PaymentRequired:
		return http.StatusPaymentRequired
	case apperr.ForbiddenCall:
		return http.StatusForbidden
	case apperr.Missing:
		return http.StatusNotFound
	case apperr.MethodNotAllowed:
		return http.StatusMethodNotAllowed
	case apperr.ConflictState:
		return http.StatusConflict
	case apperr.TooLarge:
		return http.StatusRequestEntityTooLarge
	case apperr.UnsupportedMedia:
		return http.StatusUnsupportedMediaType
	case apperr.RateLimited:
		return http.StatusTooManyRequests
	case apperr.NotImplementedYet:
		return http.StatusNotImplemented
	case apperr.ProviderFailed:
		return http.StatusBadGateway
	case apperr.Unavailable:
		return http.StatusServiceUnavailable
	case apperr.Timeout:
		return http.StatusGatewayTimeout
	case apperr.Internal:
	}
	return http.StatusInternalServerError
}

// statusClientClosed stands in the log for a request whose client left before the
// answer, so that it does not count as a fault of the service. Nobody reads it.
const statusClientClosed = 499

// Answer classifies err, notes it for the log line and sets the headers that go with it.
func (c Classifier) Answer(ctx context.Context, err error) (*apperr.Error, int) {
	e := c.Classify(err)
	switch stop, ok := stopped(ctx); {
	case ok && Status(e.Kind) >= http.StatusInternalServerError:
		e = stop.Wrap(err)
	case overdue(ctx, err) && e.Kind == apperr.Internal:
		e = apperr.TryAgain(err)
	}
	info := infoFrom(ctx)
	code := Status(e.Kind)
	info.code = e.Code
	if code >= http.StatusInternalServerError && ctx.Err() != nil && errors.Is(err, context.Canceled) && e.Code != shuttingDown {
		info.code = "client_closed"
		return e, statusClientClosed
	}
	if code >= http.StatusInternalServerError {
		info.cause = err
	}
	if e.RetryAfter > 0 {
		info.header.Set("Retry-After", strconv.Itoa(WholeSeconds(e.RetryAfter)))
	}
	if e.Allow != "" {
		info.header.Set("Allow", e.Allow)
	}
	if code == http.StatusUnauthorized {
		info.header.Set("WWW-Authenticate", "Bearer")
	}
	return e, code
}

// shuttingDown is the code of what the end of this process cuts short.
const shuttingDown = "shutting_down"

// stopped returns the error of a request whose process is being stopped and has no more
// time for it: the cause that its context ended with.
func stopped(ctx context.Context) (*apperr.Error, bool) {
	return errors.AsType[*apperr.Error](context.Cause(ctx))
}

// WholeSeconds rounds up: a client that waits that long has waited enough.
func WholeSeconds(d time.Duration) int {
	return int((d + time.Second - 1) / time.Second)
}
