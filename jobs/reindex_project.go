package jobs

import (
	"context"
	"errors"

	"github.com/riverqueue/river"

	"docqa/internal/clock"
	"docqa/internal/documents"
	"docqa/internal/store"
	"docqa/internal/vectors"
	"docqa/jobs/jobargs"
)

type reindexProject struct {
	river.WorkerDefaults[jobargs.ReindexProject]
	service *documents.Service
	vectors *vectors.Service
	clock   clock.Clock
	owner   string
}

func (w *reindexProject) Work(ctx context.Context, job *river.Job[jobargs.ReindexProject]) error {
	ctx = store.AsCompany(ctx, job.Args.CompanyID)
	until := w.clock.Now().Add(buildTurn)
	more := func() error {
		if w.clock.Now().After(until) {
			return errTurnOver
		}
		return nil
	}
	err := forService(ctx, w.service, job, serviceJob{job.Args.CompanyID, job.Args.ProjectID, job.Args.JobID}, func() error {
		return w.service.BuildIndex(ctx, w.vectors, job.Args, more, claim(job, w.owner))
	})
	if errors.Is(err, errTurnOver) {
		return river.JobSnooze(0)
	}
	return err
}
