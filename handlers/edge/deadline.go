package edge

import (
	"context"
	"errors"
	"net/http"

	"docqa/internal/platform/limits"
)

// errOverdue is the cause of a context that ended because its request took too long. It
// differs from the deadlines of models and providers, which have error codes of their own.
var errOverdue = errors.New("the request took too long")

// bounded gives a request its deadline. A stream gets none: its length is limited by the
// answer and by the time that its reader may take for a frame. cancel must be called.
func (e *server) bounded(r *http.Request, op operation) (_ *http.Request, cancel context.CancelFunc) {
	limit := e.requestTime
	switch {
	case op.Streams:
		return r, func() {}
	case op.Slow:
		limit = limits.LongRequestTime
	}
	ctx, cancel := context.WithTimeoutCause(r.Context(), limit, errOverdue)
	return r.WithContext(ctx), cancel
}

// overdue reports whether err was caused by the request's own deadline.
func overdue(ctx context.Context, err error) bool {
	return errors.Is(err, context.DeadlineExceeded) && errors.Is(context.Cause(ctx), errOverdue)
}
