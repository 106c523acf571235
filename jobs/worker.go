package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"docqa/internal/idempotency"
	"docqa/internal/platform/apperr"
	"docqa/internal/ratelimit"
	"docqa/internal/store"
	"docqa/internal/streams"
	"docqa/jobs/jobargs"
)

// How long one attempt of a kind may take; the other kinds have jobTimeout. A long job stores
// its results as it goes, and the next attempt continues from there.
const (
	fetchTimeout       = 5 * time.Minute  // for the site to answer and for storing the page
	ingestTimeout      = 15 * time.Minute // a sweep enforces the deadline of the document
	removeTimeout      = 30 * time.Minute
	buildTimeout       = time.Hour
	promptTestsTimeout = 15 * time.Minute // enough for the largest test run
	largeIndexTimeout  = 50 * time.Minute // an index of a million vectors takes a quarter of it
)

// redactAgain is how long a redaction waits before it checks again whether an ingestion has ended.
const redactAgain = 10 * time.Second

// worker works the jobs of one kind: it binds the context to the job's company, calls do, and
// turns do's error into what River does next.
type worker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	owner   string
	timeout time.Duration // of one attempt; 0: jobTimeout
	do      func(context.Context, attempt[T]) error
}

// Work works one attempt.
func (w *worker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	if args, ok := any(job.Args).(interface{ Company() string }); ok {
		ctx = store.AsCompany(ctx, args.Company())
	}
	return outcome(ctx, w.do(ctx, attempt[T]{Job: job, owner: w.owner}))
}

// Timeout bounds one attempt.
func (w *worker[T]) Timeout(*river.Job[T]) time.Duration { return w.timeout }

// attempt is one attempt of a job.
type attempt[T river.JobArgs] struct {
	*river.Job[T]
	owner string
}

// step returns what a service needs to know of the attempt.
func (a attempt[T]) step() jobargs.Attempt {
	return jobargs.Attempt{Claim: a.claim, Last: a.Attempt >= a.MaxAttempts, Exhausted: a.Attempt > a.MaxAttempts}
}

// longStep is step for a long job, which yields to other companies.
func (a attempt[T]) longStep(deps Deps, companyID string) jobargs.Attempt {
	step := a.step()
	step.Yield = yielding(a.JobRow, companyID, deps)
	return step
}

// registry collects the workers of a process.
type registry struct {
	workers *river.Workers
	owner   string
	err     error // of the first worker that could not be added
}

// add registers the worker of a kind.
func add[T river.JobArgs](r *registry, timeout time.Duration, do func(context.Context, attempt[T]) error) {
	err := river.AddWorkerSafely(r.workers, &worker[T]{owner: r.owner, timeout: timeout, do: do})
	r.err = errors.Join(r.err, err)
}

// register returns the workers of all kinds of jobs.
func register(deps Deps, owner string) (*river.Workers, error) {
	r := &registry{workers: river.NewWorkers(), owner: owner}
	add(r, fetchTimeout, func(ctx context.Context, a attempt[jobargs.FetchPage]) error {
		return deps.Ingester.FetchPage(ctx, a.Args, a.step())
	})
	add(r, ingestTimeout, func(ctx context.Context, a attempt[jobargs.IngestDocument]) error {
		return deps.Ingester.Ingest(ctx, a.Args, a.step())
	})
	add(r, 0, func(ctx context.Context, a attempt[jobargs.SettleProject]) error {
		return deps.Ingester.Settle(ctx, a.Args)
	})
	add(r, 0, func(ctx context.Context, a attempt[jobargs.RemoveObject]) error {
		return deps.Documents.RemoveObject(ctx, a.Args)
	})
	add(r, removeTimeout, func(ctx context.Context, a attempt[jobargs.RedactDocuments]) error {
		done, err := deps.Documents.Redact(ctx, a.Args)
		if err == nil && !done {
			return river.JobSnooze(redactAgain)
		}
		return err
	})
	add(r, removeTimeout, func(ctx context.Context, a attempt[jobargs.RemoveDocuments]) error {
		return forRAGClient(ctx, deps.Rag, a, clientJob{a.Args.CompanyID, a.Args.ProjectID, a.Args.JobID}, func() error { return deps.Rag.RemoveMarked(ctx, a.Args, a.claim) })
	})
	add(r, buildTimeout, func(ctx context.Context, a attempt[jobargs.ReindexProject]) error {
		client := clientJob{a.Args.CompanyID, a.Args.ProjectID, a.Args.JobID}
		return forRAGClient(ctx, deps.Rag, a, client, func() error {
			return deps.Vectors.Reindex(ctx, a.Args, a.longStep(deps, a.Args.CompanyID))
		})
	})
	add(r, buildTimeout, func(ctx context.Context, a attempt[jobargs.BuildVectors]) error { return buildVectors(ctx, deps, a) })
	add(r, 0, func(ctx context.Context, _ attempt[jobargs.BuildAllVectors]) error {
		return deps.Vectors.BuildAll(ctx, river.ClientFromContext[pgx.Tx](ctx))
	})
	add(r, promptTestsTimeout, func(ctx context.Context, a attempt[jobargs.RunPromptTests]) error {
		return deps.Tests.Work(ctx, a.Args, a.step())
	})
	add(r, largeIndexTimeout, func(ctx context.Context, _ attempt[jobargs.MaintainLargeIndexes]) error {
		return deps.LargeIndexer.Sweep(ctx)
	})
	registerSweeps(r, deps)
	if r.err != nil {
		return nil, fmt.Errorf("register a worker: %w", r.err)
	}
	return r.workers, nil
}

// registerSweeps adds the workers of the periodic jobs that remove what has expired.
func registerSweeps(r *registry, deps Deps) {
	add(r, 0, func(ctx context.Context, _ attempt[jobargs.SweepDocuments]) error {
		return errors.Join(deps.Ingester.Sweep(ctx), deps.Documents.SweepReservations(ctx))
	})
	add(r, 0, func(ctx context.Context, _ attempt[jobargs.SweepRagJobs]) error { return deps.Rag.Sweep(ctx) })
	add(r, 0, func(ctx context.Context, _ attempt[jobargs.SweepRateLimits]) error {
		return ratelimit.Sweep(ctx, deps.Store, deps.Clock)
	})
	add(r, 0, func(ctx context.Context, _ attempt[jobargs.SweepStreams]) error {
		return streams.Sweep(ctx, deps.Store, deps.Clock)
	})
	add(r, 0, func(ctx context.Context, _ attempt[jobargs.SweepIdempotency]) error {
		return idempotency.Sweep(ctx, deps.Store, deps.Clock)
	})
}

// buildVectors builds the vectors of a project until none is missing or another company waits.
func buildVectors(ctx context.Context, deps Deps, a attempt[jobargs.BuildVectors]) error {
	// A chunk that is stored after this job has ended inserts another job.
	err := deps.Vectors.Build(ctx, a.Args, a.longStep(deps, a.Args.CompanyID))
	if apperr.KindOf(err) == apperr.KindNotFound {
		return nil // the project is gone
	}
	return err
}
