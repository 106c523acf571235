package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"docqa/internal/ragservice"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

type removeDocuments struct {
	river.WorkerDefaults[jobargs.RemoveDocuments]
	service *ragservice.Service
	owner   string
}

// Timeout bounds one attempt; the next one goes on from there.
func (w *removeDocuments) Timeout(*river.Job[jobargs.RemoveDocuments]) time.Duration {
	return 30 * time.Minute
}

func (w *removeDocuments) Work(ctx context.Context, job *river.Job[jobargs.RemoveDocuments]) error {
	ctx = store.AsCompany(ctx, job.Args.CompanyID)
	return forService(ctx, w.service, job, serviceJob{job.Args.CompanyID, job.Args.ProjectID, job.Args.JobID}, func() error {
		return w.service.RemoveMarked(ctx, job.Args, claim(job, w.owner))
	})
}
