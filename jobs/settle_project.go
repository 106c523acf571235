package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"docqa/internal/ingest"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

type settleProject struct {
	river.WorkerDefaults[jobargs.SettleProject]
	ingester *ingest.Service
}

func (w *settleProject) Work(ctx context.Context, job *river.Job[jobargs.SettleProject]) error {
	ctx = store.AsCompany(ctx, job.Args.CompanyID)
	return outcome(ctx, w.ingester.Settle(ctx, job.Args))
}
