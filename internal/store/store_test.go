package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
)

func newCompany(t *testing.T, s *store.Store) string {
	t.Helper()
	id := ids.New(ids.Company)
	_, err := dbsqlc.New().CompanyCreate(store.AsCompany(t.Context(), id), s.Pool(), dbsqlc.CompanyCreateParams{
		CompanyID: id, Name: "A", Slug: id, OwnerUserID: ids.New(ids.User), Now: time.Unix(1, 0),
	})
	require.NoError(t, err)
	return id
}

func TestStore_RowLevelSecurity(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	a, b := newCompany(t, s), newCompany(t, s)
	q := dbsqlc.New()

	count := func(ctx context.Context) (n int) {
		require.NoError(t, s.Pool().QueryRow(ctx, "select count(*) from companies").Scan(&n))
		return n
	}
	require.Equal(t, 1, count(store.AsCompany(t.Context(), a)))
	require.Equal(t, 2, count(store.AsSystem(t.Context(), "test")))
	require.Zero(t, count(t.Context()), "no company in the context: no rows")

	_, err := q.CompanyGet(store.AsCompany(t.Context(), a), s.Pool(), b)
	require.ErrorIs(t, err, pgx.ErrNoRows)
	_, err = q.CompanySettingsCreate(store.AsCompany(t.Context(), a), s.Pool(), dbsqlc.CompanySettingsCreateParams{CompanyID: b, Now: time.Unix(1, 0)})
	require.ErrorContains(t, err, "row-level security")
}

func TestStore_ConnectionsChangeCompany(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	companies := []string{newCompany(t, s), newCompany(t, s), newCompany(t, s)}
	var g errgroup.Group
	for i := range 300 {
		g.Go(func() error {
			want := companies[i%len(companies)]
			var got string
			err := s.Pool().QueryRow(store.AsCompany(t.Context(), want), "select company_id from companies").Scan(&got)
			if err == nil && got != want {
				t.Errorf("company %s saw %s", want, got)
			}
			return err
		})
	}
	require.NoError(t, g.Wait())
}

func TestStore_EveryTenantTableHasThePolicy(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	rows, err := s.Pool().Query(t.Context(), `select c.table_name from information_schema.columns c
		where c.table_schema = 'public' and c.column_name = 'company_id'
		and not exists (select from pg_policies p where p.tablename = c.table_name and p.policyname = 'tenant')`)
	require.NoError(t, err)
	without, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Empty(t, without)
}

func TestOpen_BeforeTheMigration(t *testing.T) {
	t.Parallel()
	_, err := store.Open(t.Context(), "postgres://nobody@127.0.0.1:1/none", store.Options{})
	require.Error(t, err)
	require.True(t, store.IsUnavailable(err))
}

func TestStore_theApplicationCannotTruncate(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	_, err := s.Pool().Exec(store.AsCompany(t.Context(), newCompany(t, s)), "truncate idempotency_keys")
	require.ErrorContains(t, err, "permission denied", "no policy binds it")
}

func TestStore_takesAnotherConnectionForABrokenOne(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	a, b := newCompany(t, s), newCompany(t, s)
	var pid int
	ctx := store.AsCompany(t.Context(), a)
	require.NoError(t, s.Pool().QueryRow(ctx, "select pg_backend_pid()").Scan(&pid))
	other, err := pgx.ConnectConfig(t.Context(), s.Pool().Config().ConnConfig)
	require.NoError(t, err)
	t.Cleanup(func() { _ = other.Close(context.WithoutCancel(t.Context())) })
	_, err = other.Exec(t.Context(), "select pg_terminate_backend($1, 5000)", pid)
	require.NoError(t, err)
	_, err = dbsqlc.New().CompanyGet(store.AsCompany(t.Context(), b), s.Pool(), b)
	require.NoError(t, err)
}
