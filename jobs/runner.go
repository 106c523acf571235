package jobs

import (
	"context"
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

	"docqa/internal/documents"
	"docqa/internal/embedding"
	"docqa/internal/ingest"
	"docqa/internal/platform/clock"
	"docqa/internal/prompttests"
	"docqa/internal/ragservice"
	"docqa/internal/search"
	"docqa/internal/store"
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
	fetchJobs     = 16
	vectorJobs    = 2
)

// How many workers of a queue one company may hold in a process, also when no other company waits.
const (
	fetchShare  = 4
	vectorShare = 1
)

// Deps is what the workers need.
type Deps struct {
	Store        *store.Store
	Documents    *documents.Service
	Ingester     *ingest.Service
	Rag          *ragservice.Service
	Tests        *prompttests.Service
	Vectors      *embedding.Service   // nil: this process has no model
	LargeIndexer *search.LargeIndexer // nil: every project is searched chunk by chunk
	Clock        clock.Clock
	Logger       *slog.Logger
	Queues       []string      // which of jobargs.Queues to work; none: all
	Parsers      int           // how many documents are ingested at once; 0: one for each processor
	SoftStop     time.Duration // how long Stop waits for running jobs; 0: 10 seconds
}

// Runner works jobs until it is stopped.
type Runner struct {
	deps    Deps
	current *lockedClient
	end     context.CancelFunc
	running sync.WaitGroup
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
	if deps.SoftStop == 0 {
		deps.SoftStop = softStop
	}
	first, err := newLockedClient(deps)
	if err != nil {
		return nil, err
	}
	return &Runner{deps: deps, current: first}, nil
}

// queues returns the queues to work, and how many workers of each one company may hold.
func queues(deps Deps) (workers map[string]river.QueueConfig, share map[string]int, err error) {
	parsers := deps.Parsers
	if parsers <= 0 {
		parsers = runtime.GOMAXPROCS(0)
	}
	all := map[string]river.QueueConfig{
		jobargs.QueueDefault: {MaxWorkers: defaultJobs},
		jobargs.QueueFetch:   {MaxWorkers: fetchJobs},
		jobargs.QueueIngest:  {MaxWorkers: parsers + 1}, // one more than a company may hold, so that another company does not wait
	}
	share = map[string]int{jobargs.QueueFetch: fetchShare, jobargs.QueueIngest: parsers, jobargs.QueueVectors: vectorShare}
	for _, name := range deps.Queues {
		if !slices.Contains(jobargs.Queues(), name) {
			return nil, nil, fmt.Errorf("there is no queue %q; there are %v", name, jobargs.Queues())
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
	return all, share, nil
}

// Start begins to work jobs, and returns when it has begun. ctx limits only the start: Stop
// ends the work.
func (r *Runner) Start(ctx context.Context) error {
	ctx = store.ForJobs(ctx)
	if err := r.current.start(ctx); err != nil {
		return err
	}
	ctx, r.end = context.WithCancel(context.WithoutCancel(ctx))
	r.running.Go(func() { r.replaceLost(ctx) })
	return nil
}

// replaceLost starts a new client under a new owner name whenever the current one has lost its
// liveness lock, because other processes may have requeued its jobs.
func (r *Runner) replaceLost(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.current.lost():
		}
		r.deps.Logger.WarnContext(ctx, "the liveness lock is lost: cancelling the running jobs and starting again")
		r.current.abort(ctx)
		for {
			next, err := newLockedClient(r.deps)
			if err == nil {
				err = next.start(ctx)
			}
			if err == nil {
				r.current = next
				break
			}
			r.deps.Logger.WarnContext(ctx, "cannot start working jobs again yet", slog.Any("error", err))
			select {
			case <-ctx.Done():
				return
			case <-time.After(livenessEvery):
			}
		}
	}
}

// Stop fetches no more jobs and waits for the running ones. It cancels those that have not
// ended after Deps.SoftStop; they run again later.
func (r *Runner) Stop(ctx context.Context) error {
	r.end()
	r.running.Wait()
	return r.current.stop(ctx)
}
