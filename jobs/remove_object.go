package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"docqa/internal/documents"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

type removeObject struct {
	river.WorkerDefaults[jobargs.RemoveObject]
	service *documents.Service
}

func (w *removeObject) Work(ctx context.Context, job *river.Job[jobargs.RemoveObject]) error {
	ctx = store.AsCompany(ctx, job.Args.CompanyID)
	return outcome(ctx, w.service.RemoveObject(ctx, job.Args))
}
