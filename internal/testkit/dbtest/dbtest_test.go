package dbtest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
)

func TestNew(t *testing.T) {
	t.Parallel()
	for range 3 {
		t.Run("holds no row and binds the role", func(t *testing.T) {
			t.Parallel()
			s := dbtest.New(t)
			var n int
			system := store.AsSystem(t.Context(), "test")
			require.NoError(t, s.Pool().QueryRow(system, "select count(*) from companies").Scan(&n))
			require.Zero(t, n)
			id := ids.New(ids.Company)
			_, err := dbsqlc.New().CompanyCreate(store.AsCompany(t.Context(), id), s.Pool(), dbsqlc.CompanyCreateParams{
				CompanyID: id, Name: "A", Slug: "a", OwnerUserID: ids.New(ids.User), Now: time.Unix(0, 0),
			})
			require.NoError(t, err)
			require.NoError(t, s.Pool().QueryRow(t.Context(), "select count(*) from companies").Scan(&n))
			require.Zero(t, n, "no principal, no rows")
			require.NoError(t, s.Pool().QueryRow(system, "select count(*) from companies").Scan(&n))
			require.Equal(t, 1, n)
		})
	}
}

func TestBlank(t *testing.T) {
	t.Parallel()
	url := dbtest.Blank(t)
	require.NoError(t, store.Migrate(t.Context(), url))
	require.NoError(t, store.Migrate(t.Context(), url), "twice changes nothing")
}
