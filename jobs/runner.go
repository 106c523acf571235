package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"docqa/internal/clock"
	"docqa/internal/documents"
	"docqa/internal/ids"
	"docqa/internal/promotion"
	"docqa/internal/prompttests"
	"docqa/internal/store"
	"docqa/internal/vectors"
	"docqa/jobs/jobargs"
)

// The pace of the queue. The cooldown also throttles the inserting side's
// notifications: with 10 ms on both sides a job is picked up in about 10 ms.
const (
	fetchCooldown = 10 * time.Millisecond
	jobTimeout    = 5 * time.Minute
	rescueAfter   = time.Hour
	softStop      = 10 * time.Second
	defaultJobs   = 8
	vectorJobs    = 2
)

// Deps are what the workers work with.
type Deps struct {
	Store     *store.Store
	Documents *documents.Service
	Ingester  *documents.Ingester
	Tests     *prompttests.Service
	Vectors   *vectors.Service   // nil: this process has no model
	Promotion *promotion.Service // nil: every project is searched chunk by chunk
	Clock     clock.Clock
	Logger    *slog.Logger
	Queues    []string      // which of jobargs.Queues to work; none: all
	Parsers   int           // how many documents are ingested at once; 0: one a processor
	SoftStop  time.Duration // how long running jobs may go on after Stop; 0: 10 seconds
}

// Runner works jobs until it is stopped.
type Runner struct {
	client   *river.Client[pgx.Tx]
	liveness *liveness
	cancel   context.CancelFunc
	sweeping sync.WaitGroup
	vectors  bool // it has models
}

// NewInserter returns a client that inserts jobs and works none.
func NewInserter(pool *pgxpool.Pool, logger *slog.Logger) (*river.Client[pgx.Tx], error) {
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{FetchCooldown: fetchCooldown, Logger: logger})
	if err != nil {
		return nil, fmt.Errorf("make the client for jobs: %w", err)
	}
	return client, nil
}

// New returns a Runner of all workers. It connects to nothing before Start.
func New(deps Deps) (*Runner, error) {
	owner := "worker_" + ids.New(ids.Job)
	workers := river.NewWorkers()
	for _, add := range []func() error{
		func() error {
			return river.AddWorkerSafely(workers, &ingestDocument{ingester: deps.Ingester, owner: owner})
		},
		func() error { return river.AddWorkerSafely(workers, &removeObject{service: deps.Documents}) },
		func() error {
			return river.AddWorkerSafely(workers, &removeDocuments{service: deps.Documents, owner: owner})
		},
		func() error { return river.AddWorkerSafely(workers, &redactDocuments{service: deps.Documents}) },
		func() error { return river.AddWorkerSafely(workers, &settleProject{ingester: deps.Ingester}) },
		func() error {
			return river.AddWorkerSafely(workers, &runPromptTests{tests: deps.Tests, owner: owner})
		},
		func() error { return river.AddWorkerSafely(workers, &sweepDocuments{ingester: deps.Ingester}) },
		func() error {
			return river.AddWorkerSafely(workers, &sweepRateLimits{store: deps.Store, clock: deps.Clock})
		},
		func() error {
			return river.AddWorkerSafely(workers, &sweepStreams{store: deps.Store, clock: deps.Clock})
		},
		func() error {
			return river.AddWorkerSafely(workers, &sweepIdempotency{store: deps.Store, clock: deps.Clock})
		},
		func() error {
			return river.AddWorkerSafely(workers, &sweepServiceJobs{store: deps.Store, clock: deps.Clock})
		},
		func() error {
			return river.AddWorkerSafely(workers, &buildVectors{vectors: deps.Vectors, clock: deps.Clock, owner: owner})
		},
		func() error { return river.AddWorkerSafely(workers, &buildAllVectors{vectors: deps.Vectors}) },
		func() error { return river.AddWorkerSafely(workers, &promoteProjects{promotion: deps.Promotion}) },
		func() error {
			return river.AddWorkerSafely(workers, &reindexProject{service: deps.Documents, vectors: deps.Vectors, clock: deps.Clock, owner: owner})
		},
	} {
		if err := add(); err != nil {
			return nil, fmt.Errorf("register a worker: %w", err)
		}
	}
	if deps.SoftStop == 0 {
		deps.SoftStop = softStop
	}
	queues, err := queues(deps)
	if err != nil {
		return nil, err
	}
	client, err := river.NewClient(riverpgxv5.New(deps.Store.Pool()), &river.Config{
		ID: owner, Logger: deps.Logger, Workers: workers, Queues: queues, PeriodicJobs: periodic(deps),
		FetchCooldown: fetchCooldown, JobTimeout: jobTimeout, RescueStuckJobsAfter: rescueAfter, SoftStopTimeout: deps.SoftStop,
		ReindexerSchedule: river.NeverSchedule(), // the application's role owns no index
	})
	if err != nil {
		return nil, fmt.Errorf("make the runner of jobs: %w", err)
	}
	return &Runner{client: client, liveness: newLiveness(deps.Store.Pool(), owner, deps.Logger), vectors: deps.Vectors != nil}, nil
}

func queues(deps Deps) (map[string]river.QueueConfig, error) {
	parsers := deps.Parsers
	if parsers <= 0 {
		parsers = runtime.GOMAXPROCS(0)
	}
	all := map[string]river.QueueConfig{
		jobargs.QueueDefault: {MaxWorkers: defaultJobs},
		jobargs.QueueIngest:  {MaxWorkers: parsers},
	}
	for _, name := range deps.Queues {
		if !slices.Contains(jobargs.Queues(), name) {
			return nil, fmt.Errorf("there is no queue %q; there are %v", name, jobargs.Queues())
		}
	}
	if deps.Vectors != nil {
		all[jobargs.QueueVectors] = river.QueueConfig{MaxWorkers: vectorJobs}
	}
	if len(deps.Queues) > 0 {
		for name := range all {
			if !slices.Contains(deps.Queues, name) {
				delete(all, name)
			}
		}
	}
	return all, nil
}

// Start begins to work, and returns when it has begun. ctx bounds the start alone:
// Stop ends the work.
func (r *Runner) Start(ctx context.Context) error {
	// First the sign of life: a job that ran without it would be taken for a dead one's.
	if err := r.liveness.connect(ctx); err != nil {
		return fmt.Errorf("start working jobs: %w", err)
	}
	ctx, r.cancel = context.WithCancel(context.WithoutCancel(ctx))
	r.sweeping.Go(func() { r.liveness.run(ctx) })
	if err := r.client.Start(ctx); err != nil {
		r.cancel()
		r.sweeping.Wait()
		return fmt.Errorf("start working jobs: %w", err)
	}
	if !r.vectors {
		return nil
	}
	// Whichever process leads: this one may have a model that the others have not.
	if _, err := r.client.Insert(ctx, jobargs.BuildAllVectors{}, nil); err != nil {
		return errors.Join(fmt.Errorf("look for projects without vectors: %w", err), r.Stop(ctx))
	}
	return nil
}

// Stop fetches no more jobs, lets the running ones end, and cancels those that have
// not ended within Deps.SoftStop: they are tried again.
func (r *Runner) Stop(ctx context.Context) error {
	err := r.client.Stop(ctx)
	r.cancel()
	r.sweeping.Wait()
	if err != nil {
		return fmt.Errorf("stop working jobs: %w", err)
	}
	return nil
}
