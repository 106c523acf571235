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

// Classifier converts any error to the error that the client gets.
type Classifier struct {
	unavailable func(error) bool // reports whether the database or the storage cannot be reached
}

// Classify is the only place that decides what error a client gets. An error that it does
// not know is a fault of the service: the client gets a fixed text, the log gets the cause.
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
		return apperr.New(apperr.KindTooLarge, apperr.CodePayloadTooLarge, "the request body is larger than "+strconv.Itoa(limits.BodyBytes)+" bytes")
	}
	if e, ok := errors.AsType[*ogenerrors.DecodeParamsError](err); ok {
		return classifyParams(e)
	}
	if _, ok := errors.AsType[*validate.InvalidContentTypeError](err); ok {
		return apperr.New(apperr.KindUnsupportedMedia, apperr.CodeUnsupportedMediaType, "use Content-Type application/json")
	}
	if e, ok := errors.AsType[*ogenerrors.DecodeRequestError](err); ok {
		return classifyBody(e)
	}
	if errors.Is(err, ht.ErrNotImplemented) {
		return apperr.NotImplemented()
	}
	return c.fault(err)
}

// fault returns the answer to an error that the client did not cause: 503 if the database
// or the storage cannot be reached, else 500.
func (c Classifier) fault(err error) *apperr.Error {
	if c.unavailable != nil && c.unavailable(err) {
		return apperr.TryAgain(err)
	}
	return apperr.Fault(err)
}

func unauthenticated() *apperr.Error {
	return apperr.New(apperr.KindUnauthenticated, apperr.CodeUnauthenticated, "missing or invalid credentials")
}

// classifyParams answers a parameter that did not decode. A malformed id in the path is
// answered 404, like an unknown id.
func classifyParams(err *ogenerrors.DecodeParamsError) *apperr.Error {
	p, ok := errors.AsType[*ogenerrors.DecodeParamError](err)
	if !ok {
		return apperr.Invalid(apperr.CodeValidationError, "a parameter is not valid")
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
	case apperr.KindInvalidInput:
		return http.StatusBadRequest
	case apperr.KindUnauthenticated:
		return http.StatusUnauthorized
	case apperr.KindPaymentRequired:
		return http.StatusPaymentRequired
	case apperr.KindForbidden:
		return http.StatusForbidden
	case apperr.KindNotFound:
		return http.StatusNotFound
	case apperr.KindMethodNotAllowed:
		return http.StatusMethodNotAllowed
	case apperr.KindConflict:
		return http.StatusConflict
	case apperr.KindTooLarge:
		return http.StatusRequestEntityTooLarge
	case apperr.KindUnsupportedMedia:
		return http.StatusUnsupportedMediaType
	case apperr.KindRateLimited:
		return http.StatusTooManyRequests
	case apperr.KindNotImplemented:
		return http.StatusNotImplemented
	case apperr.KindProviderFailed:
		return http.StatusBadGateway
	case apperr.KindUnavailable:
		return http.StatusServiceUnavailable
	case apperr.KindTimeout:
		return http.StatusGatewayTimeout
	case apperr.KindInternal:
	}
	return http.StatusInternalServerError
}

// statusClientClosed is the status in the log of a request whose client left before the
// answer, so that the request does not count as a fault of the service. No client gets it.
const statusClientClosed = 499

// Answer classifies err, records it for the log line and sets the headers of such an
// error. It returns the error that the client gets, and its status.
func (c Classifier) Answer(ctx context.Context, err error) (*apperr.Error, int) {
	e := c.Classify(err)
	switch stop, ok := stopped(ctx); {
	case ok && Status(e.Kind) >= http.StatusInternalServerError:
		e = stop.Wrap(err)
	case overdue(ctx, err) && e.Kind == apperr.KindInternal:
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

// shuttingDown is the code of a request that was ended because this process stops.
const shuttingDown = apperr.CodeShuttingDown

// stopped returns the cause that ctx ended with, if the context was ended because this
// process stops and the time for running requests is over.
func stopped(ctx context.Context) (*apperr.Error, bool) {
	return errors.AsType[*apperr.Error](context.Cause(ctx))
}

// WholeSeconds rounds d up to whole seconds, so that a client that waits as long has
// waited long enough.
func WholeSeconds(d time.Duration) int {
	return int((d + time.Second - 1) / time.Second)
}
