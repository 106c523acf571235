package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// common returns the settings of every cluster. pgvector before 0.8.3 has faults when it builds
// indexes in parallel. GMT needs no time zone files, which a small machine may not have.
func common() []string {
	return []string{"max_parallel_maintenance_workers=0", "timezone=GMT", "log_timezone=GMT", "lc_messages=C", "logging_collector=off"}
}

// throwAway returns settings for clusters that may lose everything.
func throwAway() []string {
	return []string{
		"fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0",
		"max_wal_size=4GB", "checkpoint_timeout=1h", "shared_buffers=128MB", "jit=off", "max_connections=300", "autovacuum_naptime=5s",
	}
}

// arguments returns those of the server program.
func arguments(data string, settings []string) []string {
	args := []string{"-D", data}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}

// ping fails if the server at url does not answer.
func ping(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return conn.Ping(ctx)
}
