package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/golang-migrate/migrate/v4"
	migratepgx "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"docqa/schema"
)

// migrationLock is the advisory lock around everything that changes the schema. It is taken
// by polling: with the migration library's own lock, processes that start at once deadlock
// as soon as a migration creates an index concurrently.
const migrationLock = 7_000_001

// Migrate brings the database at url to this version: our tables, River's, and the
// application's role with its grants. Any number of processes may call it at once;
// url must reach Postgres directly (no transaction pooler) as the tables' owner. It fails,
// without a change, for a database that these migrations cannot continue.
func Migrate(ctx context.Context, url string) error {
	return locked(ctx, url, func(pool *pgxpool.Pool) error {
		if err := checkVersion(ctx, pool); err != nil {
			return err
		}
		if err := migrateTables(pool); err != nil {
			return err
		}
		if err := migrateRiver(ctx, pool); err != nil {
			return err
		}
		if _, err := pool.Exec(ctx, schema.River); err != nil {
			return fmt.Errorf("index River's jobs by company: %w", err)
		}
		return makeRoles(ctx, pool)
	})
}

// MakeRoles makes only the application's role. The grants and policies of a backup name the
// role, but a backup of one database does not hold it.
func MakeRoles(ctx context.Context, url string) error {
	return locked(ctx, url, func(pool *pgxpool.Pool) error { return makeRoles(ctx, pool) })
}

func makeRoles(ctx context.Context, pool *pgxpool.Pool) error {
	if _, err := pool.Exec(ctx, schema.Roles); err != nil {
		return fmt.Errorf("make the application's role: %w", err)
	}
	return nil
}

// locked runs change on the database at url while no other process migrates it.
func locked(ctx context.Context, url string, change func(*pgxpool.Pool) error) error {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return errors.New("the database URL is not valid")
	}
	cfg.MaxConns = 4
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("open the database for migration: %w", err)
	}
	defer pool.Close()
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("connect to the database for migration: %w", err)
	}
	defer conn.Release()
	if err := lock(ctx, conn.Conn()); err != nil {
		return err
	}
	defer func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), "select pg_advisory_unlock($1)", migrationLock)
	}()
	return change(pool)
}

func lock(ctx context.Context, conn *pgx.Conn) error {
	for {
		var got bool
		if err := conn.QueryRow(ctx, "select pg_try_advisory_lock($1)", migrationLock).Scan(&got); err != nil {
			return fmt.Errorf("take the migration lock: %w", err)
		}
		if got {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the migration lock: %w", ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// unreleased finds what only the migrations before the first release made, a table or a column
// that no migration makes any more, or that they did not make the function that later migrations call.
const unreleased = `
select to_regclass('usage_months') is not null or exists (
  select from pg_attribute where attrelid = to_regclass('project_lexstats') and attname = 'promoted' and not attisdropped)
  or to_regclass('companies') is not null and to_regprocedure('add_tenant_policy(regclass)') is null`

// refuseUnreleased fails for a database that was made before the first release, whose
// migrations had the same numbers and another content.
func refuseUnreleased(ctx context.Context, pool *pgxpool.Pool) error {
	var found bool
	if err := pool.QueryRow(ctx, unreleased).Scan(&found); err != nil {
		return fmt.Errorf("find the version of the database: %w", err)
	}
	if found {
		return errors.New("the database was made by a version before the first release, which cannot be upgraded: delete .data/pg (docqa dev), or use a new, empty database")
	}
	return nil
}

// checkVersion refuses a database that these migrations cannot continue, before it changes
// anything: one that was made before the first release, and one that a newer version made.
func checkVersion(ctx context.Context, pool *pgxpool.Pool) error {
	if err := refuseUnreleased(ctx, pool); err != nil {
		return err
	}
	var migrated bool
	err := pool.QueryRow(ctx, "select to_regclass('schema_migrations') is not null").Scan(&migrated)
	if err != nil {
		return fmt.Errorf("find the version of the database: %w", err)
	}
	if !migrated {
		return nil
	}
	newest, err := schema.Newest()
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	var version uint
	err = pool.QueryRow(ctx, "select coalesce(max(version), 0) from schema_migrations").Scan(&version)
	if err != nil {
		return fmt.Errorf("find the version of the database: %w", err)
	}
	if version > newest {
		return fmt.Errorf("the database was made by a newer version (migration %d, this version knows %d): start that version, or this one with DATABASE_MIGRATE=false", version, newest)
	}
	return nil
}

func migrateTables(pool *pgxpool.Pool) error {
	source, err := iofs.New(schema.Migrations, ".")
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	db := stdlib.OpenDBFromPool(pool)
	driver, err := migratepgx.WithInstance(db, &migratepgx.Config{})
	if err != nil {
		return fmt.Errorf("prepare the migration: %w", err)
	}
	m, err := migrate.NewWithInstance("iofs", source, "pgx5", driver)
	if err != nil {
		return fmt.Errorf("prepare the migration: %w", err)
	}
	defer func() { _, _ = m.Close() }()
	if err := m.Up(); err != nil && !errors.Is(err, migrate.ErrNoChange) {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

func migrateRiver(ctx context.Context, pool *pgxpool.Pool) error {
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return fmt.Errorf("prepare River's migration: %w", err)
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate River: %w", err)
	}
	return nil
}
