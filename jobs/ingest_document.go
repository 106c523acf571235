package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"docqa/internal/ingest"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// ingestTimeout bounds one attempt; the deadline of the document is the sweep's business.
const ingestTimeout = 15 * time.Minute

type ingestDocument struct {
	river.WorkerDefaults[jobargs.IngestDocument]
	ingester *ingest.Service
	owner    string
}

func (w *ingestDocument) Work(ctx context.Context, job *river.Job[jobargs.IngestDocument]) error {
	ctx = store.AsCompany(ctx, job.Args.CompanyID)
	return outcome(ctx, w.ingester.Ingest(ctx, job.Args, attempt(job, w.owner)))
}

func (w *ingestDocument) Timeout(*river.Job[jobargs.IngestDocument]) time.Duration {
	return ingestTimeout
}

// attempt is what a step of a document is told of its job.
func attempt[T river.JobArgs](job *river.Job[T], owner string) jobargs.Attempt {
	return jobargs.Attempt{
		Claim: claim(job, owner), Last: job.Attempt >= job.MaxAttempts, Exhausted: job.Attempt > job.MaxAttempts,
	}
}
