package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"docqa/internal/apperr"
	"docqa/internal/clock"
	"docqa/internal/store"
	"docqa/internal/vectors"
	"docqa/jobs/jobargs"
)

// buildTurn is how long a project's vectors are built at a time, so that one large project
// does not keep the others waiting. What was made is kept.
const buildTurn = 2 * time.Minute

type buildVectors struct {
	river.WorkerDefaults[jobargs.BuildVectors]
	vectors *vectors.Service
	clock   clock.Clock
	owner   string
}

// errTurnOver says that the other projects are next.
var errTurnOver = errors.New("the turn is over")

func (w *buildVectors) Work(ctx context.Context, job *river.Job[jobargs.BuildVectors]) error {
	ctx = store.AsCompany(ctx, job.Args.CompanyID)
	until := w.clock.Now().Add(buildTurn)
	err := w.vectors.Build(ctx, job.Args.CompanyID, job.Args.ProjectID, vectors.Reindexing{
		Progress: func(context.Context, int, int) error {
			if w.clock.Now().After(until) {
				return errTurnOver
			}
			return nil
		},
		// A chunk that comes after the switch finds the job done and inserts another.
		Finish: claim(job, w.owner),
	})
	switch {
	case errors.Is(err, errTurnOver):
		return river.JobSnooze(0)
	case apperr.KindOf(err) == apperr.Missing:
		return nil // the project is gone
	}
	return outcome(ctx, err)
}

type buildAllVectors struct {
	river.WorkerDefaults[jobargs.BuildAllVectors]
	vectors *vectors.Service
}

func (w *buildAllVectors) Work(ctx context.Context, _ *river.Job[jobargs.BuildAllVectors]) error {
	return outcome(ctx, w.vectors.BuildAll(ctx, river.ClientFromContext[pgx.Tx](ctx)))
}
