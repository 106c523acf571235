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

// Limiter takes requests from buckets. It counts by the database's clock, by its own only
// where that is pinned. Safe for concurrent use.
type Limiter struct {
	store *store.Store
	clock clock.Clock
	scale float64
}

// New returns a limiter; scale (RATE_LIMIT_SCALE) multiplies every rate, 0 means 1.
func New(s *store.Store, c clock.Clock, scale float64) *Limiter {
	if scale <= 0 {
		scale = 1
	}
	return &Limiter{store: s, clock: c, scale: scale}
}

// Decision is the answer to one request.
type Decision struct {
	Allowed    bool
	Rate       limits.Rate   // as it was applied, scaled
	Remaining  int           // requests left at once
	Reset      time.Duration // until the bucket is full again
	RetryAfter time.Duration // until the next request is allowed; 0 when Allowed
}

// Take counts one request of subject against rate. An error means that the database
// could not say: the caller decides whether the request passes.
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
