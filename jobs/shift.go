package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"docqa/internal/platform/ids"
	"docqa/jobs/jobargs"
)

// shift is the work of a process under one name, which ends with its sign of life.
type shift struct {
	deps     Deps
	client   *river.Client[pgx.Tx]
	liveness *liveness
	end      context.CancelFunc
	sign     sync.WaitGroup
}

func newShift(deps Deps) (*shift, error) {
	owner := "worker_" + ids.New(ids.Job)
	workers, err := register(deps, owner)
	if err != nil {
		return nil, err
	}
	queues, share, err := queues(deps)
	if err != nil {
		return nil, err
	}
	driver := &fairDriver{Driver: riverpgxv5.New(deps.Store.Pool().Pool), owner: owner, share: share}
	client, err := river.NewClient(driver, &river.Config{
		ID: owner, Logger: deps.Logger, Workers: workers, Queues: queues, PeriodicJobs: periodic(deps),
		FetchCooldown: fetchCooldown, JobTimeout: jobTimeout, RescueStuckJobsAfter: rescueAfter, SoftStopTimeout: deps.SoftStop,
		ReindexerSchedule: river.NeverSchedule(), // the application's role owns no index
		Middleware:        []rivertype.Middleware{river.WorkerMiddlewareFunc(driver.account(deps))},
	})
	if err != nil {
		return nil, fmt.Errorf("make the runner of jobs: %w", err)
	}
	return &shift{deps: deps, client: client, liveness: newLiveness(deps.Store.Pool().Pool, owner, deps.Logger)}, nil
}

// start begins to work, and returns when it has begun. ctx bounds the start alone.
func (s *shift) start(ctx context.Context) error {
	// First the sign of life: a job that ran without it would be taken for a dead one's.
	if err := s.liveness.connect(ctx); err != nil {
		return fmt.Errorf("start working jobs: %w", err)
	}
	ctx, s.end = context.WithCancel(context.WithoutCancel(ctx))
	s.sign.Go(func() { s.liveness.run(ctx) })
	if err := s.client.Start(ctx); err != nil {
		s.end()
		s.sign.Wait()
		return fmt.Errorf("start working jobs: %w", err)
	}
	if s.deps.Vectors == nil {
		return nil
	}
	// Whichever process leads: this one may have a model that the others have not.
	if _, err := s.client.Insert(ctx, jobargs.BuildAllVectors{}, nil); err != nil {
		return errors.Join(fmt.Errorf("look for projects without vectors: %w", err), s.stop(ctx))
	}
	return nil
}

// lost is closed when the sign of life is gone.
func (s *shift) lost() <-chan struct{} { return s.liveness.lost }

// abortTime bounds the end of a shift whose jobs may be others' already.
const abortTime = 3 * time.Second

// abort cancels the running jobs.
func (s *shift) abort(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTime)
	defer cancel()
	if err := s.client.StopAndCancel(ctx); err != nil {
		s.deps.Logger.WarnContext(ctx, "jobs did not end in time", slog.Any("error", err))
	}
	s.end()
	s.sign.Wait()
}

// stop fetches no more jobs and lets the running ones end.
func (s *shift) stop(ctx context.Context) error {
	err := s.client.Stop(ctx)
	s.end()
	s.sign.Wait()
	if err != nil {
		return fmt.Errorf("stop working jobs: %w", err)
	}
	return nil
}
