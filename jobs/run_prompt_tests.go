package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"docqa/internal/prompttests"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// promptTestsTimeout bounds one attempt at the most questions that a run may have.
const promptTestsTimeout = 15 * time.Minute

type runPromptTests struct {
	river.WorkerDefaults[jobargs.RunPromptTests]
	tests *prompttests.Service
	owner string
}

func (w *runPromptTests) Work(ctx context.Context, job *river.Job[jobargs.RunPromptTests]) error {
	ctx = store.AsCompany(ctx, job.Args.CompanyID)
	return outcome(ctx, w.tests.Work(ctx, job.Args, prompttests.Attempt{
		Claim: claim(job, w.owner), Last: job.Attempt >= job.MaxAttempts, Exhausted: job.Attempt > job.MaxAttempts,
	}))
}

func (w *runPromptTests) Timeout(*river.Job[jobargs.RunPromptTests]) time.Duration {
	return promptTestsTimeout
}
