package resilient

import (
	"cmp"
	"context"
	"errors"
	"time"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/provider/llm"
	"docqa/internal/provider/resilience"
)

// Options are the settings of a client. A zero value gets its default: the one named here,
// otherwise that of package resilience.
type Options struct {
	Silence    time.Duration // longest wait until the call may begin, and for the next fragment; default 20 s
	Attempts   int
	Pause      time.Duration
	Concurrent int
	Failures   int
	Rest       time.Duration
	Clock      clock.Clock
}

type client struct {
	inner   llm.Client
	policy  *resilience.Policy
	silence time.Duration
}

// New returns a client that calls inner. Its errors are ProviderFailed and Timeout
// (apperr), what emit returns, and the end of the caller's context.
func New(inner llm.Client, o Options) llm.Client {
	o.Silence = cmp.Or(o.Silence, 20*time.Second)
	return &client{inner: inner, silence: o.Silence, policy: resilience.New(resilience.Options{
		Attempts: o.Attempts, Pause: o.Pause, Concurrent: o.Concurrent, QueueTime: o.Silence,
		Failures: o.Failures, Rest: o.Rest, Clock: o.Clock,
	})}
}

// Stream sends p. It repeats the call if nothing was emitted and another attempt may succeed.
func (c *client) Stream(ctx context.Context, p llm.Prompt, emit func(fragment string) error) (llm.Ending, error) {
	var last attempt
	err := c.policy.Run(ctx, func(ctx context.Context) resilience.Outcome {
		last = attempt{inner: c.inner, silence: c.silence, emit: emit}
		return last.run(ctx, p)
	})
	switch {
	case err == nil:
		return last.ending, nil
	case last.refused != nil:
		return llm.Ending{}, last.refused
	case last.silent, errors.Is(err, resilience.ErrBusy), errors.Is(ctx.Err(), context.DeadlineExceeded):
		return llm.Ending{}, timeout(err)
	case ctx.Err() != nil:
		return llm.Ending{}, ctx.Err()
	}
	return llm.Ending{}, failed(err)
}

func timeout(err error) error {
	return apperr.New(apperr.KindTimeout, apperr.CodeProviderTimeout, "the model provider did not answer in time").Wrap(err)
}

func failed(err error) error {
	return apperr.New(apperr.KindProviderFailed, apperr.CodeProviderError, "the model provider answered with an error").Wrap(err)
}
