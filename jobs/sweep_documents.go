package jobs

import (
	"context"
	"errors"

	"github.com/riverqueue/river"

	"docqa/internal/documents"
	"docqa/internal/ingest"
	"docqa/jobs/jobargs"
)

type sweepDocuments struct {
	river.WorkerDefaults[jobargs.SweepDocuments]
	ingester  *ingest.Service
	documents *documents.Service
}

func (w *sweepDocuments) Work(ctx context.Context, _ *river.Job[jobargs.SweepDocuments]) error {
	return outcome(ctx, errors.Join(w.ingester.Sweep(ctx), w.documents.SweepReservations(ctx)))
}
