package store_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
)

// openOne opens a store with one connection, which every query of the test uses.
func openOne(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), dbtest.URL(t), store.Options{MaxConns: 1})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

func TestStore_GenericPlan(t *testing.T) {
	t.Parallel()
	s := openOne(t)
	ctx := store.AsSystem(t.Context(), "a test")
	for i := range 10 {
		rows, err := s.GenericPlan().Query(ctx, "select n, 'generic' from generate_series(1, $1::integer) n", i)
		require.NoError(t, err)
		n := 0
		for rows.Next() {
			n++
		}
		rows.Close()
		require.NoError(t, rows.Err())
		require.Equal(t, i, n)
	}
	var generic, custom int
	require.NoError(t, s.Pool().QueryRow(ctx,
		"select generic_plans, custom_plans from pg_prepared_statements where statement like '%''generic''%' and statement not like '%prepared%'").Scan(&generic, &custom))
	require.Equal(t, 10, generic)
	require.Zero(t, custom)

	var mode string
	require.NoError(t, s.Pool().QueryRow(ctx, "select current_setting('plan_cache_mode')").Scan(&mode))
	require.Equal(t, "auto", mode, "other queries are planned as before, and the connection is free again")

	broken, err := s.GenericPlan().Query(ctx, "select nothing from nowhere") //nolint:sqlclosecheck // there are no rows
	require.Error(t, err)
	require.Nil(t, broken)
	require.NoError(t, s.Pool().Ping(ctx))
}

func TestStore_Ordered(t *testing.T) {
	t.Parallel()
	s := openOne(t)
	ctx := store.AsSystem(t.Context(), "a test")
	plan := func(db interface {
		Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	},
	) string {
		rows, err := db.Query(ctx, "explain select * from companies where company_id > '' order by company_id limit 1")
		require.NoError(t, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return strings.Join(lines, "\n")
	}
	require.Contains(t, plan(s.Pool()), "Sort", "the planner knows of a few rows")
	require.NotContains(t, plan(s.Ordered()), "Sort")
	require.Contains(t, plan(s.Pool()), "Sort", "the setting holds for one query")
}
