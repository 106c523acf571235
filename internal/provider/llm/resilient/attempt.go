package resilient

import (
	"context"
	"errors"
	"time"

	"docqa/internal/provider/llm"
	"docqa/internal/provider/resilience"
)

// errSilent is the cause of a call that ended because the provider sent nothing.
var errSilent = errors.New("the provider was silent for too long")

// attempt is one call of the provider.
type attempt struct {
	inner   llm.Client
	silence time.Duration
	emit    func(string) error

	ending  llm.Ending
	emitted bool  // whether a fragment was handed to emit
	refused error // the error of emit
	silent  bool  // whether the provider sent nothing for too long
}

// run calls the provider once.
func (a *attempt) run(ctx context.Context, p llm.Prompt) resilience.Outcome {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(a.silence, func() { cancel(errSilent) })
	defer timer.Stop()
	var err error
	a.ending, err = a.inner.Stream(inner, p, func(fragment string) error {
		timer.Stop() // the time that emit takes does not count
		a.emitted = true
		a.refused = a.emit(fragment)
		timer.Reset(a.silence)
		return a.refused
	})
	a.silent = err != nil && errors.Is(context.Cause(inner), errSilent)
	return a.outcome(ctx, err)
}

// outcome classifies the end of the call. A provider that is too slow counts as failing, but
// the call is not repeated: a second call could keep the caller waiting as long again.
func (a *attempt) outcome(ctx context.Context, err error) resilience.Outcome {
	switch {
	case a.refused != nil:
		return resilience.Outcome{Err: err}
	case a.silent, errors.Is(ctx.Err(), context.DeadlineExceeded):
		return resilience.Outcome{Err: err, Health: resilience.Bad}
	}
	o := resilience.Classify(ctx, err)
	o.Retry = o.Retry && !a.emitted
	return o
}
