package resilient

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/provider/breaker"
	"docqa/internal/provider/llm"
)

// mostPatience is the longest wait that a provider may ask for; where it asks for
// more, the call has failed.
const mostPatience = 5 * time.Second

// Options tune a client. What is zero gets its default.
type Options struct {
	Attempts   int           // default 3
	Silence    time.Duration // longest wait for a place, and for the next fragment; default 20 s
	Pause      time.Duration // before the second attempt, doubled before the third; default 300 ms
	Concurrent int           // calls at once; default 1024
	Failures   int           // in a row, after which the provider is left alone; default 5
	Rest       time.Duration // for which it is; default 15 s
	Clock      clock.Clock
}

func (o Options) withDefaults() Options {
	o.Attempts = cmp.Or(o.Attempts, 3)
	o.Concurrent = cmp.Or(o.Concurrent, 1024)
	o.Failures = cmp.Or(o.Failures, 5)
	o.Silence = cmp.Or(o.Silence, 20*time.Second)
	o.Pause = cmp.Or(o.Pause, 300*time.Millisecond)
	o.Rest = cmp.Or(o.Rest, 15*time.Second)
	return o
}

type client struct {
	inner   llm.Client
	o       Options
	places  chan struct{}
	breaker *breaker.Breaker
}

// New returns a client that calls inner. Its errors are ProviderFailed and Timeout
// (apperr), what emit returns, and the end of the caller's context.
func New(inner llm.Client, o Options) llm.Client {
	o = o.withDefaults()
	return &client{
		inner: inner, o: o, places: make(chan struct{}, o.Concurrent),
		breaker: breaker.New(o.Clock, o.Failures, o.Rest),
	}
}

// Stream sends p, again where that may help.
func (c *client) Stream(ctx context.Context, p llm.Prompt, emit func(fragment string) error) (llm.Ending, error) {
	if err := c.enter(ctx); err != nil {
		return llm.Ending{}, err
	}
	defer func() { <-c.places }()
	for n := 1; ; n++ {
		a := attempt{client: c, emit: emit}
		ending, err := a.run(ctx, p)
		if err == nil {
			return ending, nil
		}
		wait, again := a.again(err)
		if !again || n == c.o.Attempts || ctx.Err() != nil {
			return llm.Ending{}, a.told(ctx, err)
		}
		if err := sleep(ctx, max(wait, c.pause(n))); err != nil {
			return llm.Ending{}, err
		}
	}
}

// enter waits for a place.
func (c *client) enter(ctx context.Context) error {
	timer := time.NewTimer(c.o.Silence)
	defer timer.Stop()
	select {
	case c.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return timeout(errors.New("too many calls of the model at once"))
	}
}

// pause is how long the wait after attempt n is: between half of it and the whole.
func (c *client) pause(n int) time.Duration {
	whole := c.o.Pause << (n - 1)
	return whole/2 + rand.N(whole/2+1) //nolint:gosec // it spreads calls, it keeps no secret
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func timeout(err error) error {
	return apperr.New(apperr.KindTimeout, apperr.CodeProviderTimeout, "the model provider did not answer in time").Wrap(err)
}

func failed(err error) error {
	return apperr.New(apperr.KindProviderFailed, apperr.CodeProviderError, "the model provider answered with an error").Wrap(err)
}
