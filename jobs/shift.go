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

// register returns the workers of all jobs.
func register(deps Deps, owner string) (*river.Workers, error) {
	workers := river.NewWorkers()
	for _, err := range []error{
		river.AddWorkerSafely(workers, &fetchPage{ingester: deps.Ingester, owner: owner}),
		river.AddWorkerSafely(workers, &ingestDocument{ingester: deps.Ingester, owner: owner}),
		river.AddWorkerSafely(workers, &removeObject{service: deps.Documents}),
		river.AddWorkerSafely(workers, &removeDocuments{service: deps.Rag, owner: owner}),
		river.AddWorkerSafely(workers, &redactDocuments{service: deps.Documents}),
		river.AddWorkerSafely(workers, &settleProject{ingester: deps.Ingester}),
		river.AddWorkerSafely(workers, &runPromptTests{tests: deps.Tests, owner: owner}),
		river.AddWorkerSafely(workers, &sweepDocuments{ingester: deps.Ingester, documents: deps.Documents}),
		river.AddWorkerSafely(workers, &sweepRateLimits{store: deps.Store, clock: deps.Clock}),
		river.AddWorkerSafely(workers, &sweepStreams{store: deps.Store, clock: deps.Clock}),
		river.AddWorkerSafely(workers, &sweepIdempotency{store: deps.Store, clock: deps.Clock}),
		river.AddWorkerSafely(workers, &sweepServiceJobs{store: deps.Store, clock: deps.Clock}),
		river.AddWorkerSafely(workers, &buildVectors{vectors: deps.Vectors, store: deps.Store, clock: deps.Clock, owner: owner}),
		river.AddWorkerSafely(workers, &buildAllVectors{vectors: deps.Vectors}),
		river.AddWorkerSafely(workers, &promoteProjects{promotion: deps.Promotion}),
		river.AddWorkerSafely(workers, &reindexProject{service: deps.Rag, vectors: deps.Vectors, store: deps.Store, clock: deps.Clock, owner: owner}),
	} {
		if err != nil {
			return nil, fmt.Errorf("register a worker: %w", err)
		}
	}
	return workers, nil
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
