package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	pgxvec "github.com/pgvector/pgvector-go/pgx"

	"docqa/internal/platform/limits"
)

// role is the role of every connection of the application. It owns no table, so row-level
// security binds it.
const role = "docqa_app"

// connectTimeout bounds one attempt to connect, unless the URL says otherwise.
const connectTimeout = 10 * time.Second

// Options tunes a pool. The zero value is the product's default.
type Options struct {
	MaxConns    int32           // default 16
	Application string          // application_name, default docqa
	Tracer      pgx.QueryTracer // called for every statement; nil: none

	StatementTime time.Duration // bounds every statement but those of jobs; default limits.StatementTime
}

// Store is the pool of the application's connections. Safe for concurrent use.
type Store struct {
	pool Pool
}

// Open connects to the database at url, which must have been migrated.
func Open(ctx context.Context, url string, opts Options) (*Store, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errors.New("DATABASE_URL is not a valid Postgres URL") // the parse error quotes the password
	}
	cfg.MaxConns = 16
	if opts.MaxConns > 0 {
		cfg.MaxConns = opts.MaxConns
	}
	cfg.MaxConnIdleTime = 5 * time.Minute
	if !strings.Contains(url, "connect_timeout") {
		cfg.ConnConfig.ConnectTimeout = connectTimeout
	}
	params := cfg.ConnConfig.RuntimeParams
	params["application_name"] = "docqa"
	if opts.Application != "" {
		params["application_name"] = opts.Application
	}
	// Planning a short query costs more than running it, so plans are cached. A query that must be planned for its parameters,
	// such as one for a project's own partial index, is sent with pgx.QueryExecModeCacheDescribe, which plans it each time.
	params["plan_cache_mode"] = "auto"
	cfg.ConnConfig.Tracer = opts.Tracer
	cfg.AfterConnect = afterConnect
	cfg.PrepareConn = prepareConn(cmp.Or(opts.StatementTime, limits.StatementTime))
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open the database pool: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("connect to the database: %w", err)
	}
	if err := refuseUnreleased(ctx, pool); err != nil { // a process that does not migrate finds it here
		pool.Close()
		return nil, err
	}
	return &Store{pool: Pool{pool}}, nil
}

func afterConnect(ctx context.Context, conn *pgx.Conn) error {
	// With 100 candidates an index of vectors finds .99 of the nearest ones. It looks further if deleted vectors are among them.
	if _, err := conn.Exec(ctx, "set role "+role+"; set hnsw.ef_search = 100; set hnsw.iterative_scan = relaxed_order"); err != nil {
		return fmt.Errorf("take the role %s (has the database been migrated?): %w", role, err)
	}
	if err := pgxvec.RegisterTypes(ctx, conn); err != nil {
		return fmt.Errorf("find the vector types (has the database been migrated?): %w", err)
	}
	return nil
}

// Pool returns the pool, for queries outside a transaction.
func (s *Store) Pool() Pool { return s.pool }

// Close closes every connection; it waits for those in use.
func (s *Store) Close() { s.pool.Close() }

// InTx runs fn in one transaction and commits it if fn returns nil. fn must call nothing over
// the network but the database.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return fn(ctx, tx) })
}
