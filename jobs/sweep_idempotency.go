package jobs

import (
	"context"
	"fmt"

	"github.com/riverqueue/river"

	"docqa/gen/dbsqlc"
	"docqa/internal/idempotency"
	"docqa/internal/platform/clock"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

type sweepIdempotency struct {
	river.WorkerDefaults[jobargs.SweepIdempotency]
	store *store.Store
	clock clock.Clock
}

func (w *sweepIdempotency) Work(ctx context.Context, _ *river.Job[jobargs.SweepIdempotency]) error {
	ctx = store.AsSystem(ctx, "kept answers of every company expire")
	if _, err := dbsqlc.New().IdempotencySweep(ctx, w.store.Pool(), w.clock.Now().Add(-idempotency.Kept)); err != nil {
		return fmt.Errorf("sweep idempotency keys: %w", err)
	}
	return nil
}
