package ratelimit

import (
	"context"
	"fmt"
	"math"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/limits"
	"docqa/internal/store"
)

// Limiter takes requests from buckets. It uses the database's clock, except if its own clock
// is pinned, as in tests. Safe for concurrent use.
type Limiter struct {
	store *store.Store
	clock clock.Clock
	scale float64
}

// Deps are what a limiter needs.
type Deps struct {
	Store *store.Store
	Clock clock.Clock
	Scale float64 // RATE_LIMIT_SCALE, which multiplies every rate; 0: 1
}

// New returns a limiter.
func New(d Deps) *Limiter {
	if d.Scale <= 0 {
		d.Scale = 1
	}
	return &Limiter{store: d.Store, clock: d.Clock, scale: d.Scale}
}

// Decision is the answer to one request.
type Decision struct {
	Allowed    bool
	Rate       limits.Rate   // after scaling
	Remaining  int           // requests left at once
	Reset      time.Duration // until the bucket is full again
	RetryAfter time.Duration // until the next request is allowed; 0 when Allowed
}

// Take counts one request of subject against rate. It fails if the database cannot answer;
// the caller then decides whether the request passes.
func (l *Limiter) Take(ctx context.Context, rate limits.Rate, subject string) (Decision, error) {
	rate = rate.Scaled(l.scale)
	row, err := dbsqlc.New().RateLimitTake(ctx, l.store.Pool(), dbsqlc.RateLimitTakeParams{
		Bucket: string(rate.Name) + ":" + subject, PeriodSeconds: rate.Period().Seconds(),
		Burst: int32(min(rate.Burst, math.MaxInt32)), Now: clock.Pinned(l.clock),
	})
	if err != nil {
		return Decision{}, fmt.Errorf("take from rate limit %s: %w", rate.Name, err)
	}
	return Decision{
		Allowed: row.Allowed, Rate: rate, Remaining: int(row.Remaining),
		Reset: seconds(row.ResetAfter), RetryAfter: seconds(row.RetryAfter),
	}, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
