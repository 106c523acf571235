package jobs

import (
	"context"
	"fmt"

	"github.com/riverqueue/river"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/clock"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

type sweepRateLimits struct {
	river.WorkerDefaults[jobargs.SweepRateLimits]
	store *store.Store
	clock clock.Clock
}

func (w *sweepRateLimits) Work(ctx context.Context, _ *river.Job[jobargs.SweepRateLimits]) error {
	ctx = store.AsSystem(ctx, "buckets belong to no company")
	if _, err := dbsqlc.New().RateLimitSweep(ctx, w.store.Pool(), clock.Pinned(w.clock)); err != nil {
		return fmt.Errorf("sweep rate limits: %w", err)
	}
	return nil
}
