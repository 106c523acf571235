package store_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/golang-migrate/migrate/v4"
	migratepgx "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/schema"
)

func TestMigrate_ManyAtOnce(t *testing.T) {
	t.Parallel()
	url := dbtest.Blank(t)
	var g errgroup.Group
	for range 6 {
		g.Go(func() error { return store.Migrate(t.Context(), url) })
	}
	require.NoError(t, g.Wait())
	require.NoError(t, store.Migrate(t.Context(), url), "a second time changes nothing")
}

// TestMigrate_OtherVersion: a database that these migrations cannot continue is refused with
// one line that says what to do, and stays as it was.
func TestMigrate_OtherVersion(t *testing.T) {
	t.Parallel()
	const unreleased = "the database was made by a version before the first release, which cannot be upgraded: " +
		"delete .data/pg (docqa dev), or use a new, empty database"
	const companies = "create table companies (company_id text)"
	const addTenantPolicy = "create function add_tenant_policy(regclass) returns void language sql as ''"
	newest, err := schema.Newest()
	require.NoError(t, err)
	for name, tt := range map[string]struct {
		tables  string
		version int
		want    string
	}{
		"the last one before the release":  {companies + "; create table usage_months (messages integer)", 100, unreleased},
		"the first one before the release": {companies + "; create table usage_months (messages integer)", 3, unreleased},
		"one whose column was renamed":     {"create table project_lexstats (promoted boolean)", 8, unreleased},
		"one without add_tenant_policy":    {companies, 8, unreleased},
		"a newer one":                      {companies + "; " + addTenantPolicy, 1000, fmt.Sprintf("the database was made by a newer version (migration 1000, this version knows %d)", newest)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := dbtest.Blank(t)
			conn := dial(t, url)
			_, err := conn.Exec(t.Context(), tt.tables+"; create table schema_migrations (version bigint primary key, dirty boolean not null)")
			require.NoError(t, err)
			_, err = conn.Exec(t.Context(), "insert into schema_migrations values ($1, false)", tt.version)
			require.NoError(t, err)
			before := tables(t, conn)

			for range 2 { // the first refusal leaves nothing that changes the second
				err = store.Migrate(t.Context(), url)
				require.ErrorContains(t, err, tt.want)
				require.NotContains(t, err.Error(), "\n")
			}
			var version int
			var dirty bool
			require.NoError(t, conn.QueryRow(t.Context(), "select version, dirty from schema_migrations").Scan(&version, &dirty))
			require.Equal(t, tt.version, version)
			require.False(t, dirty)
			require.Equal(t, before, tables(t, conn))
		})
	}
}

// TestOpen_unreleased: a process that does not migrate refuses an unreleased database too.
func TestOpen_unreleased(t *testing.T) {
	t.Parallel()
	url := dbtest.Blank(t)
	require.NoError(t, store.Migrate(t.Context(), url))
	_, err := dial(t, url).Exec(t.Context(), "alter table project_lexstats rename large_index to promoted")
	require.NoError(t, err)
	_, err = store.Open(t.Context(), url, store.Options{})
	require.ErrorContains(t, err, "the database was made by a version before the first release")
}

// TestMigrate_DownAndUp: the down files take everything away that the up files make.
func TestMigrate_DownAndUp(t *testing.T) {
	t.Parallel()
	url := dbtest.Blank(t)
	require.NoError(t, store.Migrate(t.Context(), url))
	conn := dial(t, url)
	whole := objects(t, conn)

	down(t, conn)
	require.Empty(t, objects(t, conn))
	require.NoError(t, store.Migrate(t.Context(), url))
	require.Equal(t, whole, objects(t, conn))
}

// down takes every migration back, the newest first.
func down(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	source, err := iofs.New(schema.Migrations, ".")
	require.NoError(t, err)
	db := stdlib.OpenDB(*conn.Config())
	driver, err := migratepgx.WithInstance(db, &migratepgx.Config{})
	require.NoError(t, err)
	m, err := migrate.NewWithInstance("iofs", source, "pgx5", driver)
	require.NoError(t, err)
	require.NoError(t, m.Down())
	_, err = m.Close()
	require.NoError(t, err)
}

// objects lists what our migrations make: tables, indexes, functions, triggers and policies.
func objects(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	return list(t, conn, `
select c.relkind::text || ' ' || c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i', 'S')
  and c.relname !~ '^(river|schema_migrations)'
union all
select 'function ' || p.oid::regprocedure::text from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname !~ '^river'
  and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
union all
select 'trigger ' || tgname from pg_trigger where not tgisinternal
union all
select 'policy ' || tablename from pg_policies
order by 1`)
}

func tables(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	return list(t, conn, "select tablename from pg_tables where schemaname = 'public' order by 1")
}

func list(t *testing.T, conn *pgx.Conn, sql string) []string {
	t.Helper()
	rows, err := conn.Query(context.WithoutCancel(t.Context()), sql)
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return names
}
