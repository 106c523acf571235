package resilience_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/clock"
	"docqa/internal/provider/resilience"
	"docqa/internal/provider/wire"
)

// bundle is a policy with a provider that follows a script.
type bundle struct {
	clock    *clock.Manual
	policy   *resilience.Policy
	script   []error // errors of the next attempts; after them, attempts succeed
	attempts int
}

func setup(t *testing.T, o resilience.Options) *bundle {
	t.Helper()
	b := &bundle{clock: clock.Fixed(time.Unix(1e9, 0))}
	o.Clock = b.clock
	b.policy = resilience.New(o)
	return b
}

func (b *bundle) run(ctx context.Context) error {
	return b.policy.Run(ctx, func(context.Context) resilience.Outcome {
		b.attempts++
		var err error
		if len(b.script) > 0 {
			err, b.script = b.script[0], b.script[1:]
		}
		return resilience.Classify(ctx, err)
	})
}

func unavailable(retryAfter time.Duration) error {
	return &wire.Error{Status: http.StatusServiceUnavailable, Temporary: true, RetryAfter: retryAfter, Err: errors.New("busy")}
}

func TestPolicy_Run_retries(t *testing.T) {
	t.Parallel()
	refused := &wire.Error{Status: http.StatusBadRequest, Err: errors.New("refused")}
	for name, tt := range map[string]struct {
		script      []error
		attempts    int
		failed      bool
		atLeast     time.Duration // least time from the first attempt to the end
		lessThan    time.Duration
		maxAttempts int
	}{
		"success":              {nil, 1, false, 0, 1, 0},
		"busy once":            {[]error{unavailable(0)}, 2, false, 150 * time.Millisecond, 301 * time.Millisecond, 0},
		"busy twice":           {[]error{unavailable(0), unavailable(0)}, 3, false, 450 * time.Millisecond, 901 * time.Millisecond, 0},
		"busy for longer":      {[]error{unavailable(0), unavailable(0), unavailable(0)}, 3, true, 450 * time.Millisecond, 901 * time.Millisecond, 0},
		"one attempt":          {[]error{unavailable(0)}, 1, true, 0, 1, 1},
		"asks for a wait":      {[]error{unavailable(4 * time.Second)}, 2, false, 4 * time.Second, 4*time.Second + 1, 0},
		"asks for a long wait": {[]error{unavailable(6 * time.Second)}, 1, true, 0, 1, 0},
		"refused":              {[]error{refused}, 1, true, 0, 1, 0},
		"another error":        {[]error{errors.New("no credentials")}, 1, true, 0, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := setup(t, resilience.Options{Attempts: tt.maxAttempts})
				b.script = tt.script
				began := time.Now()
				err := b.run(t.Context())
				took := time.Since(began)
				require.Equal(t, tt.failed, err != nil, "%v", err)
				require.Equal(t, tt.attempts, b.attempts)
				require.GreaterOrEqual(t, took, tt.atLeast)
				require.Less(t, took, tt.lessThan)
			})
		})
	}
}

func TestPolicy_Run_endsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(t, resilience.Options{})
		b.script = []error{unavailable(0), unavailable(0)}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		began := time.Now()
		require.Error(t, b.run(ctx))
		require.Equal(t, 10*time.Millisecond, time.Since(began), "it does not wait for the next attempt")
		require.Equal(t, 1, b.attempts)
		require.ErrorIs(t, b.run(ctx), context.DeadlineExceeded)
		require.Equal(t, 1, b.attempts)
	})
}

func TestPolicy_Run_boundsAnAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(t, resilience.Options{Attempts: 1, AttemptTime: time.Second, Failures: 1})
		err := b.policy.Run(t.Context(), func(ctx context.Context) resilience.Outcome {
			<-ctx.Done()
			return resilience.Classify(context.WithoutCancel(ctx), wire.Broken(ctx.Err()))
		})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, b.run(t.Context()), resilience.ErrOpen, "a provider that is too slow is in bad health")
	})
}

func TestPolicy_Run_boundsCallsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(t, resilience.Options{Concurrent: 1, QueueTime: time.Second})
		err := b.policy.Run(t.Context(), func(ctx context.Context) resilience.Outcome {
			return resilience.Outcome{Err: b.run(ctx)}
		})
		require.ErrorIs(t, err, resilience.ErrBusy)
		require.Zero(t, b.attempts)
		require.Panics(t, func() {
			_ = b.policy.Run(t.Context(), func(context.Context) resilience.Outcome { panic("a bug") })
		})
		require.NoError(t, b.run(t.Context()), "the place is free again")
	})
}

func TestPolicy_Run_leavesAFailingProviderAlone(t *testing.T) {
	t.Parallel()
	b := setup(t, resilience.Options{Attempts: 1, Failures: 2, Rest: time.Minute})
	away := unavailable(0)
	for _, step := range []struct {
		name    string
		answer  error
		pass    time.Duration // time that passes before the call
		attempt bool
		want    error
	}{
		{"a failure", away, 0, true, away},
		{"a success between", nil, 0, true, nil},
		{"a failure again", away, 0, true, away},
		{"two in a row", away, 0, true, away},
		{"it is left alone", nil, time.Minute - 1, false, resilience.ErrOpen},
		{"it is tested, and fails", away, 1, true, away},
		{"it is left alone again", nil, 0, false, resilience.ErrOpen},
		{"it is tested, and answers", nil, time.Minute, true, nil},
		{"it has recovered", nil, 0, true, nil},
	} {
		b.clock.Advance(step.pass)
		b.script = []error{step.answer}
		before := b.attempts
		require.ErrorIs(t, b.run(t.Context()), step.want, step.name)
		require.Equal(t, step.attempt, b.attempts > before, step.name)
	}
}

// A caller who leaves says nothing about the provider: neither that it fails nor that it has
// recovered. Another call may test it at once.
func TestPolicy_Run_callersWhoLeave(t *testing.T) {
	t.Parallel()
	b := setup(t, resilience.Options{Attempts: 1, Failures: 1, Rest: time.Minute})
	leave := func() error {
		ctx, cancel := context.WithCancel(t.Context())
		return b.policy.Run(ctx, func(context.Context) resilience.Outcome {
			cancel()
			return resilience.Classify(ctx, wire.Broken(ctx.Err()))
		})
	}
	require.ErrorIs(t, leave(), context.Canceled)
	require.NoError(t, b.run(t.Context()))
	b.script = []error{unavailable(0)}
	require.Error(t, b.run(t.Context()))
	b.clock.Advance(time.Minute)
	require.ErrorIs(t, leave(), context.Canceled, "it tests the provider")
	b.script = []error{unavailable(0)}
	require.Error(t, b.run(t.Context()))
	require.ErrorIs(t, b.run(t.Context()), resilience.ErrOpen)
}
