package resilience

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/retrypolicy"

	"docqa/internal/platform/clock"
)

// Errors of Run for calls that did not reach the provider.
var (
	ErrBusy = errors.New("too many calls of the provider at once")
	ErrOpen = errors.New("the provider is left alone after failures in a row")
)

// Options are the settings of a policy. A zero value gets its default.
type Options struct {
	Attempts      int           // attempts of a call; default 3
	AttemptTime   time.Duration // longest time of one attempt; default: as long as the context of the call
	Pause         time.Duration // before the second attempt, doubled before each further one; default 300 ms
	MaxRetryAfter time.Duration // if the provider asks for a longer wait, the call fails; default 5 s
	Concurrent    int           // calls at once; default 1024
	QueueTime     time.Duration // longest wait for one of these calls to end; default 20 s
	Failures      int           // failures in a row after which the provider is left alone; default 5, negative: never
	Rest          time.Duration // how long it is left alone; default 15 s
	Clock         clock.Clock   // measures Rest; default: the system's
}

func (o Options) withDefaults() Options {
	o.Attempts = cmp.Or(o.Attempts, 3)
	o.Pause = cmp.Or(o.Pause, 300*time.Millisecond)
	o.MaxRetryAfter = cmp.Or(o.MaxRetryAfter, 5*time.Second)
	o.Concurrent = cmp.Or(o.Concurrent, 1024)
	o.QueueTime = cmp.Or(o.QueueTime, 20*time.Second)
	o.Failures = cmp.Or(o.Failures, 5)
	o.Rest = cmp.Or(o.Rest, 15*time.Second)
	if o.Clock == nil {
		o.Clock = clock.System()
	}
	return o
}

// Outcome is the end of one attempt.
type Outcome struct {
	Err        error // nil: the call has succeeded
	Health     Health
	Retry      bool          // the same call may succeed later
	RetryAfter time.Duration // the provider asks for this wait before the next attempt; 0: for none
}

// Policy guards the calls of one provider. Safe for concurrent use.
type Policy struct {
	o       Options
	places  bulkhead.Bulkhead[any]
	retry   failsafe.Executor[Outcome]
	breaker *breaker // nil: the provider is never left alone
}

// New returns a policy.
func New(o Options) *Policy {
	o = o.withDefaults()
	p := &Policy{o: o, places: bulkhead.NewBuilder[any](uint(max(1, o.Concurrent))).Build()}
	p.retry = failsafe.With(retrypolicy.NewBuilder[Outcome]().
		WithMaxAttempts(o.Attempts).
		HandleIf(func(last Outcome, _ error) bool {
			return last.Err != nil && last.Retry && last.RetryAfter <= o.MaxRetryAfter
		}).
		WithDelayFunc(p.delay).
		ReturnLastFailure().
		Build())
	if o.Failures > 0 {
		p.breaker = &breaker{clock: o.Clock, threshold: o.Failures, rest: o.Rest}
	}
	return p
}

// Run makes a call in one or more attempts and returns the error of the last one. Its own
// errors are ErrBusy, ErrOpen, and the error of ctx if ctx ends before the first attempt.
func (p *Policy) Run(ctx context.Context, attempt func(ctx context.Context) Outcome) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// The limit of calls at once is not a policy of the executor: the executor would not
	// release a permit after a panic.
	if err := p.places.AcquirePermitWithMaxWait(ctx, p.o.QueueTime); errors.Is(err, bulkhead.ErrFull) {
		return ErrBusy
	} else if err != nil {
		return err
	}
	defer p.places.ReleasePermit()
	var last Outcome
	_, _ = p.retry.WithContext(ctx).Get(func() (Outcome, error) {
		last = p.try(ctx, attempt)
		return last, nil
	})
	return last.Err
}

// try makes one attempt, unless the provider is left alone.
func (p *Policy) try(ctx context.Context, attempt func(ctx context.Context) Outcome) (o Outcome) {
	if p.breaker != nil {
		if !p.breaker.allow() {
			return Outcome{Err: ErrOpen}
		}
		defer func() { p.breaker.record(o.Health) }()
	}
	if p.o.AttemptTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.o.AttemptTime)
		defer cancel()
	}
	return attempt(ctx)
}

// delay returns the wait before the next attempt: between half of the pause and the whole of
// it, but at least as long as the provider asks for.
func (p *Policy) delay(e failsafe.ExecutionAttempt[Outcome]) time.Duration {
	whole := p.o.Pause << e.Retries()
	jittered := whole/2 + rand.N(whole/2+1) //nolint:gosec // it spreads calls in time, it protects no secret
	return max(e.LastResult().RetryAfter, jittered)
}
