package resilient

import (
	"context"
	"errors"
	"time"

	"docqa/internal/provider/breaker"
	"docqa/internal/provider/llm"
)

// errSilent is why a call ended that the provider left without a word.
var errSilent = errors.New("the provider was silent for too long")

// errResting stands for a call that was not made.
var errResting = errors.New("the provider is left alone after failures in a row")

// attempt is one call.
type attempt struct {
	client *client
	emit   func(string) error
	spoke  bool  // whether a fragment was handed over
	heard  error // of emit
	silent bool  // whether it was ended for its silence
}

// run calls the provider once and tells the breaker how that went.
func (a *attempt) run(ctx context.Context, p llm.Prompt) (ending llm.Ending, err error) {
	if !a.client.breaker.Allow() {
		return llm.Ending{}, errResting
	}
	verdict := breaker.Unknown
	defer func() { a.client.breaker.Done(verdict) }()
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(a.client.o.Silence, func() { cancel(errSilent) })
	defer timer.Stop()
	ending, err = a.client.inner.Stream(inner, p, func(fragment string) error {
		timer.Stop() // a listener's slowness is not the provider's
		a.spoke = true
		a.heard = a.emit(fragment)
		timer.Reset(a.client.o.Silence)
		return a.heard
	})
	a.silent = err != nil && errors.Is(context.Cause(inner), errSilent)
	verdict = a.verdict(ctx, err)
	return ending, err
}

// verdict says what a call's end means for the provider.
func (a *attempt) verdict(ctx context.Context, err error) breaker.Verdict {
	e, temporary := errors.AsType[*llm.ProviderError](err)
	switch {
	case err == nil:
		return breaker.Good
	case a.heard != nil, errors.Is(ctx.Err(), context.Canceled):
		return breaker.Unknown
	case a.silent, ctx.Err() != nil, temporary && e.Temporary:
		return breaker.Bad
	}
	return breaker.Unknown // it refused this one call
}

// again tells whether the same call may do better, and after what wait.
func (a *attempt) again(err error) (wait time.Duration, again bool) {
	e, ok := errors.AsType[*llm.ProviderError](err)
	if !ok || !e.Temporary || a.spoke || a.silent || e.RetryAfter > mostPatience {
		return 0, false
	}
	return e.RetryAfter, true
}

// told is what the caller is told of err.
func (a *attempt) told(ctx context.Context, err error) error {
	switch {
	case a.heard != nil:
		return a.heard
	case a.silent, errors.Is(ctx.Err(), context.DeadlineExceeded):
		return timeout(err)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return failed(err)
}
