package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"docqa/internal/devenv/pgbin"
	"docqa/internal/devenv/postgres"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
)

func TestIsUnavailable(t *testing.T) {
	t.Parallel()
	state := func(code string) error { return fmt.Errorf("read a row: %w", &pgconn.PgError{Code: code}) }
	for name, tt := range map[string]struct {
		err  error
		want bool
	}{
		"shut down":                  {state("57P01"), true},
		"starting up":                {state("57P03"), true},
		"too many connections":       {state("53300"), true},
		"disk full":                  {state("53100"), true}, // a full disk needs a file system of its own: not made here
		"out of memory":              {state("53200"), true},
		"a failing disk":             {state("58030"), true},
		"a statement took too long":  {state("57014"), true},
		"a lock took too long":       {state("55P03"), true},
		"an idle transaction":        {state("25P03"), true},
		"a standby":                  {state("25006"), true},
		"a deadlock":                 {state("40P01"), true},
		"a serialization failure":    {state("40001"), true},
		"a lost connection":          {state("08006"), true},
		"broken off":                 {fmt.Errorf("read a row: %w", io.ErrUnexpectedEOF), true},
		"refused":                    {fmt.Errorf("connect: %w", &net.OpError{Op: "dial", Err: errors.New("refused")}), true},
		"a closed connection":        {fmt.Errorf("read a row: %w", pgconn.ErrConnClosed), true},
		"a deadline of ours":         {fmt.Errorf("read a row: %w", context.DeadlineExceeded), true},
		"a wrong statement":          {state("42601"), false},
		"a broken rule":              {state("23505"), false},
		"a value that is too large":  {state("22003"), false},
		"an aborted transaction":     {state("25P02"), false},
		"a transaction that is over": {pgx.ErrTxClosed, false},
		"canceled":                   {context.Canceled, false},
		"no row":                     {pgx.ErrNoRows, false},
		"none":                       {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, store.IsUnavailable(tt.err))
		})
	}
}

// TestIsUnavailable_real makes the faults in a test database.
func TestIsUnavailable_real(t *testing.T) {
	t.Parallel()
	exec := func(t *testing.T, conn *pgx.Conn, statements ...string) (err error) {
		t.Helper()
		for _, sql := range statements {
			require.NoError(t, err)
			_, err = conn.Exec(t.Context(), sql)
		}
		return err
	}
	for name, fault := range map[string]func(t *testing.T, conn, other *pgx.Conn) error{
		"killed in mid-query": func(t *testing.T, conn, other *pgx.Conn) error {
			t.Helper()
			killed := make(chan error, 1)
			pid := conn.PgConn().PID()
			go func() {
				for asleep := false; !asleep; { // not before the query runs
					row := other.QueryRow(t.Context(), "select wait_event = 'PgSleep' from pg_stat_activity where pid = $1", pid)
					var waits *bool
					if err := row.Scan(&waits); err != nil {
						killed <- err
						return
					}
					asleep = waits != nil && *waits
				}
				_, err := other.Exec(t.Context(), "select pg_terminate_backend($1, 5000)", pid)
				killed <- err
			}()
			err := exec(t, conn, "select pg_sleep(60)")
			require.NoError(t, <-killed)
			return err
		},
		"used after it was killed": func(t *testing.T, conn, other *pgx.Conn) error {
			t.Helper()
			_, err := other.Exec(t.Context(), "select pg_terminate_backend($1, 5000)", conn.PgConn().PID())
			require.NoError(t, err)
			return exec(t, conn, "select 1")
		},
		"used after it was closed": func(t *testing.T, conn, _ *pgx.Conn) error {
			t.Helper()
			require.NoError(t, conn.Close(t.Context()))
			return exec(t, conn, "select 1")
		},
		"committed after it was killed": func(t *testing.T, conn, other *pgx.Conn) error {
			t.Helper()
			tx, err := conn.Begin(t.Context())
			require.NoError(t, err)
			_, err = other.Exec(t.Context(), "select pg_terminate_backend($1, 5000)", conn.PgConn().PID())
			require.NoError(t, err)
			return tx.Commit(t.Context())
		},
		"statement_timeout": func(t *testing.T, conn, _ *pgx.Conn) error {
			t.Helper()
			return exec(t, conn, "set statement_timeout = 1", "select pg_sleep(60)")
		},
		"lock_timeout": func(t *testing.T, conn, other *pgx.Conn) error {
			t.Helper()
			require.NoError(t, exec(t, other, "begin", "lock table companies"))
			return exec(t, conn, "set lock_timeout = 1", "select from companies")
		},
		"read only": func(t *testing.T, conn, _ *pgx.Conn) error {
			t.Helper()
			return exec(t, conn, "begin read only", "delete from companies")
		},
		"temp_file_limit": func(t *testing.T, conn, _ *pgx.Conn) error {
			t.Helper()
			return exec(t, conn, "set temp_file_limit = 64", "set work_mem = 64", "select count(*) from (select i from generate_series(1, 100000) i order by -i offset 0) s")
		},
		"our own deadline": func(t *testing.T, conn, _ *pgx.Conn) error {
			t.Helper()
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			_, err := conn.Exec(ctx, "select pg_sleep(60)")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t)
			err := fault(t, dial(t, url), dial(t, url))
			require.Error(t, err)
			require.True(t, store.IsUnavailable(fmt.Errorf("read: %w", err)), "%v", err)
		})
	}
}

func dial(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// TestIsUnavailable_server takes a server of its own to its limits and then away.
func TestIsUnavailable_server(t *testing.T) {
	t.Parallel()
	wd, err := os.Getwd()
	require.NoError(t, err)
	bin, err := pgbin.Find(t.Context(), pgbin.ProjectRoot(wd), os.Getenv("PG_BIN"))
	require.NoError(t, err)
	dir, err := os.MkdirTemp("/tmp", "docqa-pg-") //nolint:usetesting // the server's user must reach it
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o755))
	server, err := postgres.Start(t.Context(), postgres.Options{Dir: filepath.Join(dir, "pg"), Bin: bin, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	admin := dial(t, server.URL("postgres"))

	_, err = admin.Exec(t.Context(), "select pg_advisory_lock(i) from generate_series(1, 10000000) i")
	require.ErrorContains(t, err, "53200", "out of shared memory")
	require.True(t, store.IsUnavailable(err))

	_, err = admin.Exec(t.Context(), "select pg_advisory_unlock_all()")
	require.NoError(t, err)
	_, err = admin.Exec(t.Context(), "create role crowd login password 'crowd' connection limit 0")
	require.NoError(t, err)
	cfg, err := pgx.ParseConfig(server.URL("postgres"))
	require.NoError(t, err)
	cfg.User, cfg.Password = "crowd", "crowd"
	_, err = pgx.ConnectConfig(t.Context(), cfg)
	require.ErrorContains(t, err, "53300", "too many connections")
	require.True(t, store.IsUnavailable(err))

	require.NoError(t, server.Stop())
	_, err = admin.Exec(t.Context(), "select 1")
	require.Error(t, err)
	require.True(t, store.IsUnavailable(err), "%v", err)
	_, err = pgx.Connect(t.Context(), server.URL("postgres"))
	require.Error(t, err)
	require.True(t, store.IsUnavailable(err), "%v", err)
}
