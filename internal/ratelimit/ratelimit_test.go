package ratelimit_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/clock"
	"docqa/internal/platform/limits"
	"docqa/internal/ratelimit"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
)

func rate(burst int) limits.Rate {
	return limits.Rate{Name: "test", Count: 60, Window: time.Minute, Burst: burst}
}

func TestLimiter_Take(t *testing.T) {
	t.Parallel()
	c := clock.Fixed(time.Unix(1_800_000_000, 0))
	l := ratelimit.New(ratelimit.Deps{Store: dbtest.New(t), Clock: c, Scale: 1})
	take := func(subject string) ratelimit.Decision {
		d, err := l.Take(t.Context(), rate(3), subject)
		require.NoError(t, err)
		return d
	}
	for left := 2; left >= 0; left-- {
		d := take("a")
		require.True(t, d.Allowed)
		require.Equal(t, left, d.Remaining)
	}
	d := take("a")
	require.False(t, d.Allowed)
	require.Equal(t, time.Second, d.RetryAfter, "one more after one period")
	require.Equal(t, 3*time.Second, d.Reset)
	require.True(t, take("b").Allowed, "another subject has its own bucket")
	c.Advance(time.Second)
	require.True(t, take("a").Allowed)
	require.False(t, take("a").Allowed)
	c.Advance(time.Minute)
	require.Equal(t, 2, take("a").Remaining, "full again, and no fuller")
}

func TestLimiter_Take_scaled(t *testing.T) {
	t.Parallel()
	l := ratelimit.New(ratelimit.Deps{Store: dbtest.New(t), Clock: clock.Fixed(time.Unix(1_800_000_000, 0)), Scale: 10})
	d, err := l.Take(t.Context(), rate(3), "a")
	require.NoError(t, err)
	require.Equal(t, 600, d.Rate.Count)
	require.Equal(t, 29, d.Remaining)
}

// Several pools stand for several processes: together they let exactly a burst through.
func TestLimiter_Take_isExactOverProcesses(t *testing.T) {
	t.Parallel()
	const pools, workers, each, burst = 3, 8, 20, 50
	c := clock.Fixed(time.Unix(1_800_000_000, 0))
	url := dbtest.URL(t)
	var allowed atomic.Int64
	var wg sync.WaitGroup
	for range pools {
		s, err := store.Open(t.Context(), url, store.Options{MaxConns: 4})
		require.NoError(t, err)
		t.Cleanup(s.Close)
		l := ratelimit.New(ratelimit.Deps{Store: s, Clock: c, Scale: 1})
		for range workers {
			wg.Go(func() {
				for range each {
					d, err := l.Take(t.Context(), rate(burst), "shared")
					if err == nil && d.Allowed {
						allowed.Add(1)
					}
				}
			})
		}
	}
	wg.Wait()
	require.EqualValues(t, burst, allowed.Load())
}

// apart is the clock of a machine that is wrong by so much.
type apart struct{ by time.Duration }

func (a apart) Now() time.Time { return time.Now().Add(a.by).UTC() }

// Processes whose clocks are apart count by the database's: none of them fills the bucket
// that another one has emptied, and none keeps it empty for others.
func TestLimiter_Take_byTheDatabasesClock(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	slow := limits.Rate{Name: "slow", Count: 1, Window: 24 * time.Hour, Burst: 3}
	allowed := 0
	for _, by := range []time.Duration{0, 1000 * time.Hour, -1000 * time.Hour, 0, 1000 * time.Hour, -1000 * time.Hour} {
		d, err := ratelimit.New(ratelimit.Deps{Store: s, Clock: apart{by}, Scale: 1}).Take(t.Context(), slow, "shared")
		require.NoError(t, err)
		require.LessOrEqual(t, d.RetryAfter, 24*time.Hour)
		if d.Allowed {
			allowed++
		}
	}
	require.Equal(t, 3, allowed)
}
