package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"docqa/internal/ingest"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// fetchTimeout bounds one attempt: the site's time, and that of storing the page.
const fetchTimeout = 5 * time.Minute

type fetchPage struct {
	river.WorkerDefaults[jobargs.FetchPage]
	ingester *ingest.Service
	owner    string
}

func (w *fetchPage) Work(ctx context.Context, job *river.Job[jobargs.FetchPage]) error {
	ctx = store.AsCompany(ctx, job.Args.CompanyID)
	return outcome(ctx, w.ingester.FetchPage(ctx, job.Args, attempt(job, w.owner)))
}

func (w *fetchPage) Timeout(*river.Job[jobargs.FetchPage]) time.Duration { return fetchTimeout }
