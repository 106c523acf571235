package dbtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io/fs"
	"net/url"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"docqa/internal/store"
	"docqa/schema"
)

// lockClass is the class of the advisory locks in the cluster's own database. Lock n of a
// template is held by the program that uses its clone n, lock 0 by the program that makes the
// template.
const lockClass = 7_100_000

// cluster is the shared server, as one test program uses it.
type cluster struct {
	base     *url.URL
	template string
	blanks   atomic.Int64

	mu    sync.Mutex // guards admin, which serves one caller at a time
	admin *pgx.Conn
}

// fingerprint changes when anything changes that affects a migrated database.
func fingerprint() string {
	h := sha256.New()
	files, _ := fs.Glob(schema.Migrations, "*.sql")
	for _, name := range files {
		text, _ := fs.ReadFile(schema.Migrations, name)
		fmt.Fprintf(h, "%s\x00%s\x00", name, text)
	}
	fmt.Fprint(h, schema.Roles)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "github.com/riverqueue/river" {
				fmt.Fprint(h, dep.Version)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:5])
}

func (c *cluster) url(database string) string {
	u := *c.base
	u.Path = "/" + database
	return u.String()
}

func (c *cluster) exec(ctx context.Context, sql string, args ...any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.admin.Exec(ctx, sql, args...)
	return err
}

func (c *cluster) ask(ctx context.Context, sql string, args ...any) (yes bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	err = c.admin.QueryRow(ctx, sql, args...).Scan(&yes)
	return yes, err
}

// lockID is the advisory lock of clone n; 0 is the template's.
func (c *cluster) lockID(n int) int32 {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s %d", c.template, n)
	return int32(h.Sum32())
}

// ensureTemplate migrates the template if it does not exist. One program does this, under
// another name first, so that a template is either complete or absent.
func (c *cluster) ensureTemplate(ctx context.Context) error {
	if err := c.exec(ctx, "select pg_advisory_lock($1, $2)", lockClass, c.lockID(0)); err != nil {
		return err
	}
	defer c.exec(context.WithoutCancel(ctx), "select pg_advisory_unlock($1, $2)", lockClass, c.lockID(0)) //nolint:errcheck // ends with the connection
	there, err := c.ask(ctx, "select exists (select from pg_database where datname = $1)", c.template)
	if err != nil || there {
		return err
	}
	raw := c.template + "_raw"
	if err := c.exec(ctx, "drop database if exists "+raw+" with (force)"); err != nil {
		return err
	}
	if err := c.exec(ctx, "create database "+raw+" template template0"); err != nil {
		return err
	}
	if err := store.Migrate(ctx, c.url(raw)); err != nil {
		return err
	}
	return c.exec(ctx, "alter database "+raw+" rename to "+c.template)
}

// claim returns the first clone that is not in use, without rows; release frees it.
func (c *cluster) claim(ctx context.Context) (name string, release func(), err error) {
	for n := 1; ; n++ {
		got, err := c.lock(ctx, n)
		if err != nil {
			return "", nil, err
		}
		if !got {
			continue
		}
		name = fmt.Sprintf("%s_%d", c.template, n)
		release = func() { c.unlock(context.WithoutCancel(ctx), n) }
		if err := c.prepare(ctx, name); err != nil {
			release()
			return "", nil, err
		}
		return name, release, nil
	}
}

// held are the clones that this program uses. It is needed because an advisory lock does not
// distinguish two users of the same connection.
var held sync.Map

func (c *cluster) lock(ctx context.Context, n int) (bool, error) {
	if _, mine := held.LoadOrStore(n, true); mine {
		return false, nil
	}
	got, err := c.ask(ctx, "select pg_try_advisory_lock($1, $2)", lockClass, c.lockID(n))
	if !got {
		held.Delete(n)
	}
	return got, err
}

func (c *cluster) unlock(ctx context.Context, n int) {
	_ = c.exec(ctx, "select pg_advisory_unlock($1, $2)", lockClass, c.lockID(n))
	held.Delete(n)
}

// prepare makes the clone, or empties it if it exists.
func (c *cluster) prepare(ctx context.Context, name string) error {
	there, err := c.ask(ctx, "select exists (select from pg_database where datname = $1)", name)
	if err != nil {
		return err
	}
	if !there {
		return c.exec(ctx, "create database "+name+" template "+c.template+" strategy file_copy")
	}
	conn, err := pgx.Connect(ctx, c.url(name))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, empty); err != nil {
		return fmt.Errorf("empty the test database: %w", err)
	}
	return nil
}

// empty ends connections that a killed test left open, and deletes every row except those of
// the migrations. It uses DELETE, because TRUNCATE makes new files for every table and index.
const empty = `
select pg_terminate_backend(pid, 1000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
do $$
declare
  t regclass;
begin
  set local session_replication_role = replica;
  for t in select c.oid from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and c.relname not in ('schema_migrations', 'river_migration') loop
    execute format('delete from %s', t);
  end loop;
end $$;`
