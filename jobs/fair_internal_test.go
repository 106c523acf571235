package jobs

import (
	"testing"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
)

// TestFairExecutor_JobSetStateIfRunningMany: two processes write the outcome of a job that only one of them runs.
func TestFairExecutor_JobSetStateIfRunningMany(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ctx := store.AsSystem(t.Context(), "the queue belongs to no company")
	var id int64
	require.NoError(t, s.Pool().QueryRow(ctx, `insert into river_job (state, attempt, attempted_at, attempted_by, args, kind, max_attempts, queue)
		values ('running', 2, now(), '{one,two}', '{}', 'ingest_document', 5, 'ingest') returning id`).Scan(&id))
	end := func(owner string) {
		driver := &fairDriver{Driver: riverpgxv5.New(s.Pool().Pool), owner: owner}
		at := time.Now()
		_, err := driver.GetExecutor().JobSetStateIfRunningMany(ctx, &riverdriver.JobSetStateIfRunningManyParams{
			ID: []int64{id}, Attempt: []*int{nil}, ErrData: [][]byte{[]byte(`{"error":"no"}`)}, FinalizedAt: []*time.Time{nil},
			MetadataDoMerge: []bool{false}, MetadataUpdates: [][]byte{nil}, ScheduledAt: []*time.Time{&at},
			State: []rivertype.JobState{rivertype.JobStateRetryable},
		})
		require.NoError(t, err)
	}
	state := func() (state string) {
		require.NoError(t, s.Pool().QueryRow(ctx, "select state::text from river_job").Scan(&state))
		return state
	}
	end("one")
	require.Equal(t, "running", state(), "another process runs the job now")
	end("two")
	require.Equal(t, "retryable", state())
}
