// Package queue measures P7: how soon a job of the service starts, and how many are done in a second, compared with River's defaults.
//
// The jobs find nothing to do. Its invariant: both sides have the same number of workers and run on the same Postgres server.
package queue

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"docqa/eval/bench/harness"
	"docqa/eval/bench/report"
	"docqa/eval/instance"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/jobs"
	"docqa/jobs/jobargs"
)

// The targets of P7.
const (
	maxStartMS = 15.
	timesRiver = 5.
)

const (
	workers     = 8 // of the service's default queue, and of the client with River's defaults
	spacing     = 37 * time.Millisecond
	burstSize   = 2000
	burstRounds = 3
	doneTimeout = 3 * time.Minute
	donePoll    = 50 * time.Millisecond
)

// idle is a job that does nothing.
type idle struct{}

// Kind returns the kind of the job.
func (idle) Kind() string { return "idle" }

// side is one of the two queues that are compared.
type side struct {
	h      *harness.Harness
	client *river.Client[pgx.Tx]
	pool   *pgxpool.Pool
	args   func() river.JobArgs

	waits []float64 // from the insertion of a job to its start, in milliseconds
	rates []float64 // jobs a second
}

// Measure inserts jobs one after the other, and many at once, on both sides in turns.
func Measure(ctx context.Context, h *harness.Harness) ([]report.Row, error) {
	quiet := slog.New(slog.DiscardHandler)
	service, err := ofService(ctx, h, quiet)
	if err != nil {
		return nil, err
	}
	defer service.pool.Close()
	defaults, err := riverDefaults(ctx, h, quiet)
	if err != nil {
		return nil, err
	}
	defer defaults.pool.Close()
	defer func() { _ = defaults.client.StopAndCancel(context.WithoutCancel(ctx)) }()
	h.Progress("inserting %d jobs one by one and %d at once, in turns with River's defaults", h.Rounds, burstSize)
	for range burstRounds {
		for _, s := range []*side{service, defaults} {
			if err := s.oneByOne(ctx); err != nil {
				return nil, err
			}
			if err := s.atOnce(ctx); err != nil {
				return nil, err
			}
		}
	}
	return []report.Row{
		report.Median("P7", "enqueue to start, p50", "ms", service.waits).
			ComparedWith("River's defaults", report.Quantile(defaults.waits, .5)).AtMost(maxStartMS),
		report.Median("P7", "jobs a second, eight workers", "1/s", service.rates).
			ComparedWith("River's defaults", report.Quantile(defaults.rates, .5)).TimesMore(timesRiver),
	}, nil
}

// ofService inserts jobs that a `docqa serve` works. They name projects that do not exist.
func ofService(ctx context.Context, h *harness.Harness, log *slog.Logger) (*side, error) {
	s, err := h.Open(ctx, "keywords", instance.Vectors("")...)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.New(ctx, s.DatabaseURL)
	if err != nil {
		return nil, err
	}
	client, err := jobs.NewInserter(pool, log)
	if err != nil {
		pool.Close()
		return nil, err
	}
	return &side{h: h, client: client, pool: pool, args: func() river.JobArgs {
		return jobargs.SettleProject{CompanyID: s.Company, ProjectID: ids.New(ids.Project)}
	}}, nil
}

// riverDefaults starts a client with River's defaults in a database of its own.
func riverDefaults(ctx context.Context, h *harness.Harness, log *slog.Logger) (*side, error) {
	db, err := h.CreateDatabase(ctx, "river_defaults")
	if err != nil {
		return nil, err
	}
	_ = db.Conn.Close(ctx)
	if err := store.Migrate(ctx, db.DatabaseURL); err != nil {
		return nil, err
	}
	pool, err := pgxpool.New(ctx, db.DatabaseURL)
	if err != nil {
		return nil, err
	}
	known := river.NewWorkers()
	river.AddWorker(known, river.WorkFunc(func(context.Context, *river.Job[idle]) error { return nil }))
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Logger: log, Workers: known, Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: workers}},
	})
	if err == nil {
		err = client.Start(ctx)
	}
	if err != nil {
		pool.Close()
		return nil, err
	}
	return &side{h: h, client: client, pool: pool, args: func() river.JobArgs { return idle{} }}, nil
}

// oneByOne inserts one job after the other and adds how long each waited for its start.
func (s *side) oneByOne(ctx context.Context) error {
	inserted := make([]int64, 0, s.h.Rounds)
	began := make(map[int64]time.Time, s.h.Rounds)
	for range max(s.h.Rounds/burstRounds, 1) {
		at := s.h.Clock.Now()
		made, err := s.client.Insert(ctx, s.args(), nil)
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
	if err := s.awaitDone(ctx, len(inserted), inserted[0]); err != nil {
		return err
	}
	rows, err := s.pool.Query(ctx, "select id, attempted_at from river_job where id = any($1)", inserted)
	if err != nil {
		return err
	}
	var id int64
	var started time.Time
	_, err = pgx.ForEachRow(rows, []any{&id, &started}, func() error {
		s.waits = append(s.waits, report.Milliseconds(started.Sub(began[id])))
		return nil
	})
	return err
}

// atOnce inserts many jobs at once and adds how many were done in a second.
func (s *side) atOnce(ctx context.Context) error {
	list := make([]river.InsertManyParams, burstSize)
	for i := range list {
		list[i].Args = s.args()
	}
	began := s.h.Clock.Now()
	made, err := s.client.InsertMany(ctx, list)
	if err != nil {
		return err
	}
	first := made[0].Job.ID
	if err := s.awaitDone(ctx, burstSize, first); err != nil {
		return err
	}
	var last time.Time
	if err := s.pool.QueryRow(ctx, "select max(finalized_at) from river_job where id >= $1", first).Scan(&last); err != nil {
		return err
	}
	s.rates = append(s.rates, burstSize/last.Sub(began).Seconds())
	return nil
}

// awaitDone waits until n jobs with the id first or a higher one are done.
func (s *side) awaitDone(ctx context.Context, n int, first int64) error {
	ctx, cancel := context.WithTimeout(ctx, doneTimeout)
	defer cancel()
	for {
		var done int
		err := s.pool.QueryRow(ctx, "select count(*) from river_job where id >= $1 and finalized_at is not null", first).Scan(&done)
		if err != nil {
			return err
		}
		if done >= n {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.New("the jobs were not done in time")
		case <-time.After(donePoll):
		}
	}
}
