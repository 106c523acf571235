package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"docqa/internal/search"
	"docqa/jobs/jobargs"
)

// promoteTimeout bounds one attempt: an index over a million vectors takes a quarter of it.
const promoteTimeout = 50 * time.Minute

type promoteProjects struct {
	river.WorkerDefaults[jobargs.PromoteProjects]
	promotion *search.LargeIndexer
}

func (w *promoteProjects) Work(ctx context.Context, _ *river.Job[jobargs.PromoteProjects]) error {
	return outcome(ctx, w.promotion.Sweep(ctx))
}

func (w *promoteProjects) Timeout(*river.Job[jobargs.PromoteProjects]) time.Duration {
	return promoteTimeout
}
