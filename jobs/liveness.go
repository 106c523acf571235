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

// Every worker process holds an advisory lock that is named after its River id. Postgres
// releases it as soon as the process or its connection ends. Every process looks for running
// jobs whose owner's lock is free, and makes them available again. River itself does that only
// after an hour, because it cannot tell a slow process from a dead one.
const (
	livenessClass = 7001
	livenessEvery = 500 * time.Millisecond
	livenessCall  = 5 * time.Second
)

// requeueDead returns the jobs of dead owners to their queues. The interrupted attempt counts,
// so a job that kills its process runs only a few times. The statement writes River's own
// table. A test pins the version of River.
const requeueDead = `
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
	lost   chan struct{} // closed when the lock is gone: other processes may requeue our jobs
}

func newLiveness(pool *pgxpool.Pool, owner string, logger *slog.Logger) *liveness {
	return &liveness{pool: pool, owner: owner, logger: logger, lost: make(chan struct{})}
}

// connect takes the lock on a connection of its own, because the pool closes its connections.
func (l *liveness) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, livenessCall)
	defer cancel()
	cfg := l.pool.Config()
	conn, err := pgx.ConnectConfig(ctx, cfg.ConnConfig)
	if err != nil {
		return fmt.Errorf("connect for the liveness lock: %w", err)
	}
	err = cfg.AfterConnect(ctx, conn)
	if err == nil {
		_, err = conn.Exec(ctx, "select pg_advisory_lock_shared($1, hashtext($2))", livenessClass, l.owner)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("take the liveness lock: %w", err), conn.Close(context.WithoutCancel(ctx)))
	}
	l.conn = conn
	return nil
}

// run holds the lock and requeues jobs of dead processes until ctx ends or the lock is lost.
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
	tag, err := l.conn.Exec(call, requeueDead, l.owner, livenessClass)
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
