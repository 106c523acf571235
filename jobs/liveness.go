package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Every process holds an advisory lock, named after its River id, as long as it lives:
// Postgres gives it back the moment the process or its connection ends. Every process
// looks for running jobs whose owner's lock is free, and makes them available again.
// River's own rescue comes only after an hour, since it cannot tell slow from dead.
const (
	livenessClass = 7001
	livenessEvery = 500 * time.Millisecond
	livenessCall  = 5 * time.Second
)

// reap returns the jobs of dead owners to their queues. The attempt has counted, so a
// job that kills its process does so only a few times. It writes River's own table:
// the version that this was written for is pinned by a test.
const reap = `
with dead as materialized (
  select r.owner from (
    select distinct attempted_by[array_upper(attempted_by, 1)] as owner from river_job where state = 'running'
  ) r
  where r.owner <> $1 and pg_try_advisory_xact_lock($2, hashtext(r.owner))
)
update river_job j set state = 'available', scheduled_at = now() from dead
where j.state = 'running' and j.attempted_by[array_upper(j.attempted_by, 1)] = dead.owner`

// liveness holds an advisory lock while this worker lives, and requeues the jobs of workers
// whose lock is gone.
type liveness struct {
	pool   *pgxpool.Pool
	owner  string
	logger *slog.Logger
	conn   *pgx.Conn     // holds the lock
	lost   chan struct{} // closed when the lock is gone: others may take the jobs
}

func newLiveness(pool *pgxpool.Pool, owner string, logger *slog.Logger) *liveness {
	return &liveness{pool: pool, owner: owner, logger: logger, lost: make(chan struct{})}
}

// connect takes the lock on a connection of its own: those of the pool come and go.
func (l *liveness) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, livenessCall)
	defer cancel()
	cfg := l.pool.Config()
	conn, err := pgx.ConnectConfig(ctx, cfg.ConnConfig)
	if err != nil {
		return fmt.Errorf("connect for the sign of life: %w", err)
	}
	err = cfg.AfterConnect(ctx, conn)
	if err == nil {
		_, err = conn.Exec(ctx, "select pg_advisory_lock_shared($1, hashtext($2))", livenessClass, l.owner)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("take the sign of life: %w", err), conn.Close(context.WithoutCancel(ctx)))
	}
	l.conn = conn
	return nil
}

// run keeps the lock and requeues until ctx ends or the lock is lost.
func (l *liveness) run(ctx context.Context) {
	defer l.close(ctx)
	ticker := time.NewTicker(livenessEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := l.tick(ctx); err != nil && ctx.Err() == nil {
			l.logger.WarnContext(ctx, "liveness check failed", slog.Any("error", err))
			l.close(ctx)
			close(l.lost)
			return
		}
	}
}

func (l *liveness) tick(ctx context.Context) error {
	call, cancel := context.WithTimeout(ctx, livenessCall)
	defer cancel()
	tag, err := l.conn.Exec(call, reap, l.owner, livenessClass)
	if err != nil {
		return fmt.Errorf("look for jobs of dead processes: %w", err)
	}
	if n := tag.RowsAffected(); n > 0 {
		l.logger.WarnContext(ctx, "jobs of dead processes returned", slog.Int64("jobs", n))
	}
	return nil
}

func (l *liveness) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = l.conn.Close(ctx)
}
