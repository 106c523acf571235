package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
)

func TestStore_boundsStatements(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), dbtest.URL(t), store.Options{MaxConns: 1, StatementTime: 50 * time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	request := store.AsCompany(t.Context(), newCompany(t, s))
	job := store.ForJobs(request)
	for range 2 { // the one connection serves both in turn
		_, err = s.Pool().Exec(request, "select pg_sleep(60)")
		require.Error(t, err)
		require.True(t, store.IsUnavailable(err), err)

		var limit string
		require.NoError(t, s.Pool().QueryRow(job, "select current_setting('statement_timeout')").Scan(&limit))
		require.Equal(t, "5min", limit)
	}
}
