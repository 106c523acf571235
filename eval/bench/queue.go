package bench

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"docqa/eval/instance"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/jobs"
	"docqa/jobs/jobargs"
)

// The figures of P7.
const (
	toStartMS  = 15.
	timesRiver = 5.
)

const (
	queueWorkers = 8 // of the service's default queue, and of the client with River's defaults
	spacing      = 37 * time.Millisecond
	burst        = 2000
	settleWithin = 3 * time.Minute
)

// idle is a job that does nothing.
type idle struct{}

// Kind names it.
func (idle) Kind() string { return "idle" }

// queue is P7: jobs of `docqa serve` that find nothing to do, beside a client of the same queue with its own defaults.
func (b *bench) queue(ctx context.Context) ([]Row, error) {
	h, err := b.open(ctx, "words", instance.Vectors("")...)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.New(ctx, h.database)
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	quiet := slog.New(slog.DiscardHandler)
	ours, err := jobs.NewInserter(pool, quiet)
	if err != nil {
		return nil, err
	}
	absent := func() river.JobArgs {
		return jobargs.SettleProject{CompanyID: h.company, ProjectID: ids.New(ids.Project)}
	}
	floor, stop, err := b.plainRiver(ctx, quiet)
	if err != nil {
		return nil, err
	}
	defer stop()
	b.say("%d jobs one by one and %d at once, beside River's defaults", b.opts.Rounds, burst)
	var waits, theirs, rate, theirRate []float64
	for range 3 {
		for _, side := range []struct {
			client      *river.Client[pgx.Tx]
			pool        *pgxpool.Pool
			args        func() river.JobArgs
			waits, rate *[]float64
		}{
			{ours, pool, absent, &waits, &rate},
			{floor.client, floor.pool, func() river.JobArgs { return idle{} }, &theirs, &theirRate},
		} {
			if err := b.spaced(ctx, side.client, side.pool, side.args, side.waits); err != nil {
				return nil, err
			}
			if err := b.burst(ctx, side.client, side.pool, side.args, side.rate); err != nil {
				return nil, err
			}
		}
	}
	perSecond := median("P7", "jobs a second, eight workers", "1/s", rate)
	beside := perSecond.beside("River's defaults", quantile(theirRate, .5))
	beside.Ratio = new(perSecond.Value / *beside.Other)
	beside.Target, beside.Met = "≥ 5 × more", new(*beside.Ratio >= timesRiver)
	return []Row{median("P7", "enqueue to start, p50", "ms", waits).beside("River's defaults", quantile(theirs, .5)).atMost(toStartMS), beside}, nil
}

type plain struct {
	client *river.Client[pgx.Tx]
	pool   *pgxpool.Pool
}

// plainRiver is a client with River's defaults in a database of its own.
func (b *bench) plainRiver(ctx context.Context, log *slog.Logger) (plain, func(), error) {
	var other house
	if err := b.createDatabase(ctx, "river_defaults", &other); err != nil {
		return plain{}, nil, err
	}
	_ = other.conn.Close(ctx)
	if err := store.Migrate(ctx, other.database); err != nil {
		return plain{}, nil, err
	}
	pool, err := pgxpool.New(ctx, other.database)
	if err != nil {
		return plain{}, nil, err
	}
	workers := river.NewWorkers()
	river.AddWorker(workers, river.WorkFunc(func(context.Context, *river.Job[idle]) error { return nil }))
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Logger: log, Workers: workers, Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: queueWorkers}},
	})
	if err == nil {
		err = client.Start(ctx)
	}
	stop := func() {
		_ = client.StopAndCancel(context.WithoutCancel(ctx))
		pool.Close()
	}
	return plain{client, pool}, stop, err
}

// spaced inserts one job after the other and adds how long each waited for its start, in milliseconds.
func (b *bench) spaced(ctx context.Context, client *river.Client[pgx.Tx], pool *pgxpool.Pool, args func() river.JobArgs, into *[]float64) error {
	inserted := make([]int64, 0, b.opts.Rounds)
	began := make(map[int64]time.Time, b.opts.Rounds)
	for range b.opts.Rounds / 3 {
		at := b.opts.Clock.Now()
		made, err := client.Insert(ctx, args(), nil)
		if err != nil {
			return err
		}
		inserted = append(inserted, made.Job.ID)
		began[made.Job.ID] = at
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(spacing):
		}
	}
	if err := b.settled(ctx, pool, len(inserted), inserted[0]); err != nil {
		return err
	}
	rows, err := pool.Query(ctx, "select id, attempted_at from river_job where id = any($1)", inserted)
	if err != nil {
		return err
	}
	var id int64
	var started time.Time
	_, err = pgx.ForEachRow(rows, []any{&id, &started}, func() error {
		*into = append(*into, milliseconds(started.Sub(began[id])))
		return nil
	})
	return err
}

// burst inserts many jobs at once and adds how many were done a second.
func (b *bench) burst(ctx context.Context, client *river.Client[pgx.Tx], pool *pgxpool.Pool, args func() river.JobArgs, into *[]float64) error {
	list := make([]river.InsertManyParams, burst)
	for i := range list {
		list[i].Args = args()
	}
	began := b.opts.Clock.Now()
	made, err := client.InsertMany(ctx, list)
	if err != nil {
		return err
	}
	first := made[0].Job.ID
	if err := b.settled(ctx, pool, burst, first); err != nil {
		return err
	}
	var last time.Time
	if err := pool.QueryRow(ctx, "select max(finalized_at) from river_job where id >= $1", first).Scan(&last); err != nil {
		return err
	}
	*into = append(*into, burst/last.Sub(began).Seconds())
	return nil
}

// settled waits until n jobs from the id first on are done.
func (b *bench) settled(ctx context.Context, pool *pgxpool.Pool, n int, first int64) error {
	ctx, cancel := context.WithTimeout(ctx, settleWithin)
	defer cancel()
	for {
		var done int
		err := pool.QueryRow(ctx, "select count(*) from river_job where id >= $1 and finalized_at is not null", first).Scan(&done)
		if err != nil {
			return err
		}
		if done >= n {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.New("the jobs are not done yet")
		case <-time.After(50 * time.Millisecond):
		}
	}
}
