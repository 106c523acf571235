package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"docqa/internal/embedding"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// minTurn is how long a project's vectors are built before others may have the worker.
const minTurn = time.Second

// errYielded says that the job left its worker to another company and goes on later. What it
// has made is kept.
var errYielded = errors.New("job yielded to another company")

// yielding returns a function that fails with errYielded once the job has had its turn and
// another company waits in the queue.
func yielding(job *rivertype.JobRow, companyID string, s *store.Store, c clock.Clock) func(context.Context) error {
	until := c.Now().Add(minTurn)
	return func(ctx context.Context) error {
		if c.Now().Before(until) {
			return nil
		}
		var others bool
		if err := s.Pool().QueryRow(ctx, othersWait, job.Queue, companyID).Scan(&others); err != nil {
			return fmt.Errorf("ask who waits: %w", err)
		}
		if others {
			return errYielded
		}
		return nil
	}
}

// othersWait tells whether a job of another company waits in the queue.
const othersWait = `
select exists (select from river_job where state = 'available' and queue = $1::text and coalesce(args ->> 'company_id', '') < $2::text)
  or exists (select from river_job where state = 'available' and queue = $1::text and coalesce(args ->> 'company_id', '') > $2::text)`

type buildVectors struct {
	river.WorkerDefaults[jobargs.BuildVectors]
	vectors *embedding.Service
	store   *store.Store
	clock   clock.Clock
	owner   string
}

func (w *buildVectors) Work(ctx context.Context, job *river.Job[jobargs.BuildVectors]) error {
	ctx = store.AsCompany(ctx, job.Args.CompanyID)
	err := w.vectors.Build(ctx, job.Args, embedding.Attempt{
		Yield: yielding(job.JobRow, job.Args.CompanyID, w.store, w.clock),
		// A chunk that comes after the switch finds the job done and inserts another.
		Claim: claim(job, w.owner),
	})
	switch {
	case errors.Is(err, errYielded):
		return river.JobSnooze(0)
	case apperr.KindOf(err) == apperr.KindNotFound:
		return nil // the project is gone
	}
	return outcome(ctx, err)
}

func (w *buildVectors) Timeout(*river.Job[jobargs.BuildVectors]) time.Duration { return buildTimeout }

// buildTimeout bounds one attempt; what it made is kept.
const buildTimeout = time.Hour

type buildAllVectors struct {
	river.WorkerDefaults[jobargs.BuildAllVectors]
	vectors *embedding.Service
}

func (w *buildAllVectors) Work(ctx context.Context, _ *river.Job[jobargs.BuildAllVectors]) error {
	return outcome(ctx, w.vectors.BuildAll(ctx, river.ClientFromContext[pgx.Tx](ctx)))
}
