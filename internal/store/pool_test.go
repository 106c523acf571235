package store_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
)

// counted opens a store of one connection that goes through a proxy, and a count of the
// round trips that it makes: of what the server answers with "ready for a query".
func counted(t *testing.T) (*store.Store, *atomic.Int64) {
	t.Helper()
	address, err := url.Parse(dbtest.URL(t))
	require.NoError(t, err)
	direct, err := pgconn.ParseConfig(address.String())
	require.NoError(t, err)
	network, at := pgconn.NetworkAddress(direct.Host, direct.Port)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	trips := &atomic.Int64{}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go forward(client, network, at, trips)
		}
	}()
	t.Cleanup(func() { _ = listener.Close() })
	query := address.Query()
	query.Del("host")
	query.Del("port")
	query.Set("sslmode", "disable")
	address.Host, address.RawQuery = listener.Addr().String(), query.Encode()
	s, err := store.Open(t.Context(), address.String(), store.Options{MaxConns: 1})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s, trips
}

// forward passes on what one connection sends, and counts in trips what it is answered.
func forward(client net.Conn, network, at string, trips *atomic.Int64) {
	defer client.Close()
	server, err := (&net.Dialer{}).DialContext(context.Background(), network, at)
	if err != nil {
		return
	}
	defer server.Close()
	go func() { _, _ = io.Copy(server, client) }()
	var head [5]byte
	for {
		if _, err := io.ReadFull(server, head[:]); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(head[1:])-4)
		if _, err := io.ReadFull(server, body); err != nil {
			return
		}
		if head[0] == 'Z' {
			trips.Add(1)
		}
		if _, err := io.Copy(client, bytes.NewReader(append(head[:], body...))); err != nil {
			return
		}
	}
}

func TestPool_roundTrips(t *testing.T) {
	t.Parallel()
	s, trips := counted(t)
	companies := []string{newCompany(t, s), newCompany(t, s)}
	const name = "select name from companies where company_id = $1"
	uses := map[string]struct {
		use  func(ctx context.Context, company string) error
		want int64
	}{
		"a row": {func(ctx context.Context, c string) error { return s.Pool().QueryRow(ctx, name, c).Scan(new(string)) }, 1},
		"rows":  {func(ctx context.Context, c string) error { return names(ctx, s, c) }, 1},
		"no rows": {func(ctx context.Context, c string) error {
			_, err := s.Pool().Exec(ctx, "select $1::text", c)
			return err
		}, 1},
		"a generic plan": {func(ctx context.Context, c string) error {
			rows, err := s.GenericPlan().Query(ctx, name, c)
			if err == nil {
				rows.Close()
				err = rows.Err()
			}
			return err
		}, 1},
		"a batch": {func(ctx context.Context, c string) error {
			b := &pgx.Batch{}
			b.Queue(name, c)
			b.Queue(name, c)
			return s.Pool().SendBatch(ctx, b).Close()
		}, 1},
		"a transaction": {func(ctx context.Context, c string) error {
			return s.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error { return tx.QueryRow(ctx, name, c).Scan(new(string)) })
		}, 3},
	}
	for use, u := range uses {
		for range 3 { // statements are prepared once, in a round trip of their own
			for _, c := range companies {
				require.NoError(t, u.use(store.AsCompany(t.Context(), c), c), use)
			}
		}
		before := trips.Load()
		for range 5 {
			for _, c := range companies {
				require.NoError(t, u.use(store.AsCompany(t.Context(), c), c), use)
			}
		}
		require.Equal(t, 10*u.want, trips.Load()-before, "%s: the company changes each time", use)
	}
}

func names(ctx context.Context, s *store.Store, company string) error {
	rows, err := s.Pool().Query(ctx, "select name from companies where company_id = $1", company)
	if err != nil {
		return err
	}
	_, err = pgx.CollectRows(rows, pgx.RowTo[string])
	return err
}

// TestPool_neverServesAnotherCompany ends each use of the one connection in a way of its own,
// and asks then what the next company sees.
func TestPool_neverServesAnotherCompany(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func(ctx context.Context, s *store.Store, company string) error{
		"well": func(ctx context.Context, s *store.Store, c string) error { return names(ctx, s, c) },
		"an error of the statement": func(ctx context.Context, s *store.Store, _ string) error {
			_, err := s.Pool().Exec(ctx, "select 1 / $1::integer", 0)
			return err
		},
		"an error behind some rows": func(ctx context.Context, s *store.Store, _ string) error {
			rows, err := s.Pool().Query(ctx, "select 1 / (3 - n) from generate_series(1, $1::integer) n", 5)
			if err == nil {
				_, err = pgx.CollectRows(rows, pgx.RowTo[int])
			}
			return err
		},
		"an error in a batch": func(ctx context.Context, s *store.Store, c string) error {
			b := &pgx.Batch{}
			b.Queue("select $1::text", c)
			b.Queue("select 1 / $1::integer", 0)
			return s.Pool().SendBatch(ctx, b).Close()
		},
		"a statement that cannot be prepared": func(ctx context.Context, s *store.Store, c string) error {
			_, err := s.Pool().Exec(ctx, "select $1 from nowhere", c)
			return err
		},
		"rows that are not read to their end": func(ctx context.Context, s *store.Store, _ string) error {
			rows, err := s.Pool().Query(ctx, "select n from generate_series(1, $1::integer) n", 1000)
			if err == nil {
				rows.Next()
				rows.Close()
			}
			return err
		},
		"a row that cannot be read": func(ctx context.Context, s *store.Store, c string) error {
			return s.Pool().QueryRow(ctx, "select $1::text", c).Scan(new(int))
		},
		"no row": func(ctx context.Context, s *store.Store, _ string) error {
			return s.Pool().QueryRow(ctx, "select 1 where $1::boolean", false).Scan(new(int))
		},
		"a cancelled statement": func(ctx context.Context, s *store.Store, _ string) error {
			ctx, cancel := context.WithCancel(ctx)
			stop := context.AfterFunc(ctx, func() {})
			defer stop()
			rows, err := s.Pool().Query(ctx, "select n from generate_series(1, $1::integer) n", 1_000_000)
			cancel()
			if err == nil {
				_, err = pgx.CollectRows(rows, pgx.RowTo[int])
			}
			return err
		},
		"a transaction that is rolled back": func(ctx context.Context, s *store.Store, c string) error {
			return s.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
				if _, err := tx.Exec(ctx, "select $1::text", c); err != nil {
					return err
				}
				return errors.New("no")
			})
		},
		"a transaction that is committed": func(ctx context.Context, s *store.Store, c string) error {
			return s.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
				var got string
				err := tx.QueryRow(ctx, "select company_id from companies").Scan(&got)
				if err == nil && got != c {
					err = errors.New("a transaction of another company")
				}
				return err
			})
		},
		"a transaction that failed": func(ctx context.Context, s *store.Store, _ string) error {
			return s.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error { _, _ = tx.Exec(ctx, "select 1 / 0"); return nil })
		},
		"a query planned each time": func(ctx context.Context, s *store.Store, c string) error {
			rows, err := s.Pool().Query(ctx, "select $1::text", pgx.QueryExecModeCacheDescribe, c)
			if err == nil {
				rows.Close()
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openOne(t)
			a, b := newCompany(t, s), newCompany(t, s)
			seen := func(ctx context.Context) (n int) {
				require.NoError(t, s.Pool().QueryRow(ctx, "select count(*) from companies where company_id = any($1)", []string{a, b}).Scan(&n))
				return n
			}
			for range 3 {
				require.Equal(t, 2, seen(store.AsSystem(t.Context(), "a test")))
				_ = use(store.AsCompany(t.Context(), a), s, a)
				require.Zero(t, seen(t.Context()), "no company: no rows")
				_ = use(store.AsCompany(t.Context(), a), s, a)
				for _, company := range []string{b, a, a, b} {
					var got string
					require.NoError(t, s.Pool().QueryRow(store.AsCompany(t.Context(), company), "select company_id from companies where $1", true).Scan(&got))
					require.Equal(t, company, got)
					_ = use(store.AsCompany(t.Context(), a), s, a)
				}
				conn, err := s.Pool().Acquire(store.AsCompany(t.Context(), b)) // as River has it
				require.NoError(t, err)
				var got string
				require.NoError(t, conn.QueryRow(t.Context(), "select company_id from companies").Scan(&got))
				conn.Release()
				require.Equal(t, b, got)
			}
		})
	}
}

func TestPool_aSettingThatFailsFailsTheQuery(t *testing.T) {
	t.Parallel()
	s := openOne(t)
	a := newCompany(t, s)
	ctx := store.AsCompany(t.Context(), "\x00") // no text of the database's
	for range 2 {
		require.Error(t, s.Pool().QueryRow(ctx, "select $1::integer", 1).Scan(new(int)))
		_, err := s.Pool().Exec(ctx, "select $1::integer", 1)
		require.Error(t, err)
		_, err = s.Pool().Exec(ctx, "select 1")
		require.Error(t, err)
		_, err = s.GenericPlan().Query(ctx, "select $1::integer", 1) //nolint:sqlclosecheck // there are no rows
		require.Error(t, err)
		b := &pgx.Batch{}
		b.Queue("select $1::integer", 1)
		require.Error(t, s.Pool().SendBatch(ctx, b).Close())
		require.Error(t, s.InTx(ctx, func(context.Context, pgx.Tx) error { return nil }))
		_, err = dbsqlc.New().CompanyGet(store.AsCompany(t.Context(), a), s.Pool(), a)
		require.NoError(t, err)
	}
}
