package resilience

import (
	"context"
	"errors"

	"docqa/internal/provider/wire"
)

// Classify returns the outcome of a call by package wire whose answer is not streamed. ctx is
// the context of the whole call, err the error of its attempt.
func Classify(ctx context.Context, err error) Outcome {
	e, ok := errors.AsType[*wire.Error](err)
	switch {
	case err == nil:
		return Outcome{Health: Good}
	case ctx.Err() != nil, !ok || !e.Temporary:
		return Outcome{Err: err} // the caller left, or the provider refused this one request
	}
	return Outcome{Err: err, Health: Bad, Retry: true, RetryAfter: e.RetryAfter}
}
