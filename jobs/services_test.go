package jobs_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/clock"
	"docqa/internal/ids"
	"docqa/internal/vectors"
	"docqa/jobs"
	"docqa/jobs/jobargs"
)

// serviceJob makes what a service follows; it was asked for an hour ago.
func (p *plant) serviceJob(t *testing.T, kind string, total int32) string {
	t.Helper()
	id := ids.New(ids.Job)
	require.NoError(t, dbsqlc.New().RagJobCreate(p.ctx(), p.Store.Pool(), dbsqlc.RagJobCreateParams{
		CompanyID: p.CompanyID, ProjectID: p.project(), JobID: id, Type: kind, Total: total, Now: p.Clock.Now().Add(-time.Hour),
	}))
	return id
}

const serviceStatus = "select status from rag_jobs where job_id = $1"

func TestReindexProject_ThatCannotBeDone(t *testing.T) {
	t.Parallel()
	p := newPlant(t, reader{})
	p.Vectors = vectors.NewService(p.Store, vectors.New(), clock.System())
	id := p.serviceJob(t, "reindex", 3)
	inserter, err := jobs.NewInserter(p.Store.Pool(), p.Logger)
	require.NoError(t, err)
	require.NoError(t, pgx.BeginFunc(p.ctx(), p.Store.Pool(), func(tx pgx.Tx) error {
		_, err := inserter.InsertTx(p.ctx(), tx, jobargs.ReindexProject{CompanyID: p.CompanyID, ProjectID: p.project(), JobID: id, Model: "gone@1"}, nil)
		return err
	}))
	p.run(t)
	until(t, p, "failed", serviceStatus, id)
	until(t, p, "cancelled", "select state::text from river_job where kind = 'reindex_project'")
	require.Equal(t, 3, ask[int](t, p, "select failed from rag_jobs"))
	require.Equal(t, "internal_error", ask[string](t, p, "select errors -> 0 ->> 'code' from rag_jobs"))
}

func TestSweepServiceJobs(t *testing.T) {
	t.Parallel()
	p := newPlant(t, reader{})
	stranded, deleting, running := p.serviceJob(t, "batch", 3), p.serviceJob(t, "delete", 1), p.serviceJob(t, "ingest", 1)
	_, err := p.Store.Pool().Exec(p.ctx(), "update rag_jobs set done = 1 where job_id = $1", stranded)
	require.NoError(t, err)
	document := p.uploaded(t, "a.txt", "a")
	_, err = p.Store.Pool().Exec(p.ctx(), `update documents set status = 'processing', ingest_run = 1, progress = 0, run_job_id = $1,
		processing_started_at = now() where document_id = $2`, running, document)
	require.NoError(t, err)
	_, err = p.Store.Pool().Exec(p.ctx(), `insert into rag_jobs (company_id, project_id, job_id, type, status, completed_at)
		values ($1, $2, 'job_old', 'batch', 'completed', now() - interval '31 days')`, p.CompanyID, p.project())
	require.NoError(t, err)
	p.run(t)
	until(t, p, "completed_with_errors", serviceStatus, stranded)
	until(t, p, "failed", serviceStatus, deleting)
	until(t, p, 0, "select count(*) from rag_jobs where job_id = 'job_old'")
	require.Equal(t, "queued", ask[string](t, p, serviceStatus, running))
	require.Equal(t, 2, ask[int](t, p, "select failed from rag_jobs where job_id = $1", stranded))
	require.Equal(t, "interrupted", ask[string](t, p, "select errors -> 0 ->> 'code' from rag_jobs where job_id = $1", stranded))
}
