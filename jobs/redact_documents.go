package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"docqa/internal/documents"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// redactAgain is when a redaction looks again, which waits for an ingestion to end.
const redactAgain = 10 * time.Second

type redactDocuments struct {
	river.WorkerDefaults[jobargs.RedactDocuments]
	service *documents.Service
}

// Timeout bounds one attempt; the next one goes on from there.
func (w *redactDocuments) Timeout(*river.Job[jobargs.RedactDocuments]) time.Duration {
	return 30 * time.Minute
}

func (w *redactDocuments) Work(ctx context.Context, job *river.Job[jobargs.RedactDocuments]) error {
	ctx = store.AsCompany(ctx, job.Args.CompanyID)
	done, err := w.service.Redact(ctx, job.Args)
	if err != nil {
		return outcome(ctx, err)
	}
	if !done {
		return river.JobSnooze(redactAgain)
	}
	return nil
}
