package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"docqa/internal/documents"
	"docqa/jobs/jobargs"
)

type sweepDocuments struct {
	river.WorkerDefaults[jobargs.SweepDocuments]
	ingester *documents.Ingester
}

func (w *sweepDocuments) Work(ctx context.Context, _ *river.Job[jobargs.SweepDocuments]) error {
	return outcome(ctx, w.ingester.Sweep(ctx, river.ClientFromContext[pgx.Tx](ctx)))
}
