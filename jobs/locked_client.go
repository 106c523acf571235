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

// lockedClient is a River client that works jobs under one owner name, as long as it holds the
// liveness lock of that name.
type lockedClient struct {
	deps     Deps
	client   *river.Client[pgx.Tx]
	liveness *liveness
	end      context.CancelFunc
	locking  sync.WaitGroup // the goroutine that holds the lock
}

func newLockedClient(deps Deps) (*lockedClient, error) {
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
		return nil, fmt.Errorf("make the client that works jobs: %w", err)
	}
	return &lockedClient{deps: deps, client: client, liveness: newLiveness(deps.Store.Pool().Pool, owner, deps.Logger)}, nil
}

// start begins to work jobs, and returns when it has begun. ctx limits only the start.
func (c *lockedClient) start(ctx context.Context) error {
	// The lock comes first: other processes would requeue a job that runs without it.
	if err := c.liveness.connect(ctx); err != nil {
		return fmt.Errorf("start working jobs: %w", err)
	}
	ctx, c.end = context.WithCancel(context.WithoutCancel(ctx))
	c.locking.Go(func() { c.liveness.run(ctx) })
	if err := c.client.Start(ctx); err != nil {
		c.end()
		c.locking.Wait()
		return fmt.Errorf("start working jobs: %w", err)
	}
	if c.deps.Vectors == nil {
		return nil
	}
	// BuildAllVectors is also a periodic job of the leader, but the leader may not have this process's model.
	if _, err := c.client.Insert(ctx, jobargs.BuildAllVectors{}, nil); err != nil {
		return errors.Join(fmt.Errorf("look for projects without vectors: %w", err), c.stop(ctx))
	}
	return nil
}

// lost is closed when the liveness lock is gone.
func (c *lockedClient) lost() <-chan struct{} { return c.liveness.lost }

// abortTime limits abort: other processes may already work the jobs.
const abortTime = 3 * time.Second

// abort cancels the running jobs.
func (c *lockedClient) abort(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTime)
	defer cancel()
	if err := c.client.StopAndCancel(ctx); err != nil {
		c.deps.Logger.WarnContext(ctx, "jobs did not end in time", slog.Any("error", err))
	}
	c.end()
	c.locking.Wait()
}

// stop fetches no more jobs and lets the running ones end.
func (c *lockedClient) stop(ctx context.Context) error {
	err := c.client.Stop(ctx)
	c.end()
	c.locking.Wait()
	if err != nil {
		return fmt.Errorf("stop working jobs: %w", err)
	}
	return nil
}
