package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"docqa/internal/embedding"
	"docqa/internal/platform/clock"
	"docqa/internal/ragservice"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

type reindexProject struct {
	river.WorkerDefaults[jobargs.ReindexProject]
	service *ragservice.Service
	vectors *embedding.Service
	store   *store.Store
	clock   clock.Clock
	owner   string
}

func (w *reindexProject) Work(ctx context.Context, job *river.Job[jobargs.ReindexProject]) error {
	ctx = store.AsCompany(ctx, job.Args.CompanyID)
	yield := yielding(job.JobRow, job.Args.CompanyID, w.store, w.clock)
	err := forService(ctx, w.service, job, serviceJob{job.Args.CompanyID, job.Args.ProjectID, job.Args.JobID}, func() error {
		return w.vectors.Reindex(ctx, job.Args, embedding.Attempt{Yield: yield, Claim: claim(job, w.owner)})
	})
	if errors.Is(err, errYielded) {
		return river.JobSnooze(0)
	}
	return err
}

func (w *reindexProject) Timeout(*river.Job[jobargs.ReindexProject]) time.Duration {
	return buildTimeout
}
