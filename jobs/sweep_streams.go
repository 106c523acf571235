package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"docqa/internal/platform/clock"
	"docqa/internal/store"
	"docqa/internal/streams"
	"docqa/jobs/jobargs"
)

type sweepStreams struct {
	river.WorkerDefaults[jobargs.SweepStreams]
	store *store.Store
	clock clock.Clock
}

func (w *sweepStreams) Work(ctx context.Context, _ *river.Job[jobargs.SweepStreams]) error {
	return streams.Sweep(ctx, w.store, w.clock)
}
