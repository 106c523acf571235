package jobs_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"docqa/gen/dbsqlc"
	"docqa/internal/embedding"
	"docqa/internal/ingest"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/search"
	"docqa/internal/testkit/factory"
	"docqa/jobs"
	"docqa/jobs/jobargs"
)

// ragJob makes a rag job that is an hour old.
func (p *bundle) ragJob(t *testing.T, kind string, total int32) string {
	t.Helper()
	id := ids.New(ids.Job)
	require.NoError(t, dbsqlc.New().RagJobCreate(p.ctx(), p.Store.Pool(), dbsqlc.RagJobCreateParams{
		CompanyID: p.CompanyID, ProjectID: p.project(), JobID: id, Type: kind, Total: total, Now: p.Clock.Now().Add(-time.Hour),
	}))
	return id
}

const serviceStatus = "select status from rag_jobs where job_id = $1"

func TestReindexProject_UnknownModel(t *testing.T) {
	t.Parallel()
	p := setup(t, factory.Reader{})
	p.Vectors = embedding.New(embedding.Deps{Store: p.Store, Models: search.NewModels(), Clock: clock.System()})
	id := p.ragJob(t, "reindex", 3)
	inserter, err := jobs.NewInserter(p.Store.Pool().Pool, p.Logger)
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

func TestSweepRagJobs(t *testing.T) {
	t.Parallel()
	p := setup(t, factory.Reader{})
	stranded, deleting, running := p.ragJob(t, "batch", 3), p.ragJob(t, "delete", 1), p.ragJob(t, "ingest", 1)
	_, err := p.Store.Pool().Exec(p.ctx(), "update rag_jobs set done = 1 where job_id = $1", stranded)
	require.NoError(t, err)
	document := p.uploaded(t, "a.txt", "a")
	_, err = p.Store.Pool().Exec(p.ctx(), `update documents set status = 'processing', ingest_run = 1, progress = 0, run_job_id = $1,
		processing_started_at = now() where document_id = $2`, running, document)
	require.NoError(t, err)
	_, err = p.Store.Pool().Exec(p.ctx(), `insert into rag_jobs (company_id, project_id, job_id, type, status, completed_at)
		values ($1, $2, 'job_old', 'batch', 'completed', now() - interval '31 days')`, p.CompanyID, p.project())
	require.NoError(t, err)
	_, err = p.Store.Pool().Exec(p.ctx(), `insert into deleted_document_ids
		values ($1, $2, 'new', now() - interval '23 hours'), ($1, $2, 'old', now() - interval '25 hours')`, p.CompanyID, p.project())
	require.NoError(t, err)
	p.run(t)
	until(t, p, "completed_with_errors", serviceStatus, stranded)
	until(t, p, "new", "select string_agg(encode(id_hash, 'escape'), ' ') from deleted_document_ids")
	until(t, p, "failed", serviceStatus, deleting)
	until(t, p, 0, "select count(*) from rag_jobs where job_id = 'job_old'")
	require.Equal(t, "queued", ask[string](t, p, serviceStatus, running))
	require.Equal(t, 2, ask[int](t, p, "select failed from rag_jobs where job_id = $1", stranded))
	require.Equal(t, "interrupted", ask[string](t, p, "select errors -> 0 ->> 'code' from rag_jobs where job_id = $1", stranded))
}

// TestRAGClients_AllAtOnce has rag clients replace the same documents, retry, repair and delete
// them while workers ingest. There must be no deadlock, every job must end, and the check must
// find no issue.
func TestRAGClients_AllAtOnce(t *testing.T) {
	t.Parallel()
	const rounds, names = 12, 9
	p := setup(t, factory.Reader{Before: func(context.Context) error { return nil }})
	p.run(t)
	ctx := t.Context() // without a company: ragservice finds it by the project
	var g errgroup.Group
	for caller := range 4 {
		g.Go(func() error {
			for round := range rounds {
				sources := make([]ingest.Source, names)
				for i := range sources {
					place := i // every other call has the documents in the opposite order
					if (caller+round)%2 == 1 {
						place = names - 1 - i
					}
					sources[i] = ingest.Source{ID: fmt.Sprint("d", place), Title: "t", Text: fmt.Sprintf("Text %d of %d by %d.", place, round, caller)}
				}
				if _, err := p.Rag.IngestBatch(ctx, p.project(), sources, ""); err != nil && apperr.CodeOf(err) != "version_conflict" {
					return fmt.Errorf("ingest: %w", err)
				}
			}
			return nil
		})
	}
	for _, call := range []func() error{
		func() error { _, _, err := p.Rag.RetryFailed(ctx, p.project()); return err },
		func() error { _, err := p.Rag.Repair(ctx, p.project()); return err },
		func() error { _, err := p.Rag.DeleteAll(ctx, p.project()); return err },
		func() error { _, err := p.Rag.DeleteDocument(ctx, "", "d1"); return err },
		func() error { _, err := p.Ingester.Sync(p.ctx(), p.CompanyID, p.project()); return err },
	} {
		g.Go(func() error {
			for range rounds {
				if err := call(); err != nil && apperr.KindOf(err) != apperr.KindNotFound {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, g.Wait())
	until(t, p, 0, "select count(*) from rag_jobs where completed_at is null")
	until(t, p, 0, "select count(*) from documents where status in ('processing', 'deleting')")
	require.Zero(t, ask[int](t, p, "select count(*) from rag_jobs where status <> 'canceled' and done + failed <> total"))
	_, err := p.Rag.IngestBatch(ctx, p.project(), []ingest.Source{{ID: "d1", Title: "t", Text: "The end."}}, "")
	require.NoError(t, err)
	until(t, p, 0, "select count(*) from rag_jobs where completed_at is null")
	found, err := p.Rag.Check(ctx, p.project())
	require.NoError(t, err)
	require.Empty(t, found.Issues)
}
