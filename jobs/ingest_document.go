package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"docqa/internal/documents"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// ingestTimeout bounds one attempt; the deadline of the document is the sweep's business.
const ingestTimeout = 15 * time.Minute

type ingestDocument struct {
	river.WorkerDefaults[jobargs.IngestDocument]
	ingester *documents.Ingester
	owner    string
}

func (w *ingestDocument) Work(ctx context.Context, job *river.Job[jobargs.IngestDocument]) error {
	ctx = store.AsCompany(ctx, job.Args.CompanyID)
	return outcome(ctx, w.ingester.Ingest(ctx, job.Args, documents.Attempt{
		Claim: claim(job, w.owner), Last: job.Attempt >= job.MaxAttempts, Exhausted: job.Attempt > job.MaxAttempts,
	}))
}

func (w *ingestDocument) Timeout(*river.Job[jobargs.IngestDocument]) time.Duration {
	return ingestTimeout
}
