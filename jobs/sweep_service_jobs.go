package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/clock"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// serviceJobKept is how long services can read how a job ended.
const serviceJobKept = 30 * 24 * time.Hour

// deletedIDKept is how long the deletion of a document may be repeated by its id alone
// without meeting another document: as long as any request may be repeated.
const deletedIDKept = 24 * time.Hour

// strandedAfter keeps the sweep from jobs whose parts are still being inserted.
const strandedAfter = 10 * time.Minute

// endStranded fails the services' jobs that nobody works any more: no document of theirs is
// being ingested, no job of the queue does them. Nothing we know of leaves one behind; what
// we do not know of must not leave a service waiting.
const endStranded = `
update rag_jobs j set failed = j.total - j.done, completed_at = $1, started_at = coalesce(j.started_at, $1),
  status = case when j.done > 0 then 'completed_with_errors' else 'failed' end,
  errors = j.errors || '{"documentId": "", "error": "the job was interrupted", "code": "interrupted"}'::jsonb
where j.completed_at is null and j.created_at < $2 and case when j.type in ('ingest', 'batch')
  then not exists (
    select from documents d
    where d.company_id = j.company_id and d.project_id = j.project_id and d.status = 'processing' and d.run_job_id = j.job_id)
  else not exists (
    select from river_job r
    where r.kind in ('remove_documents', 'reindex_project') and r.args ->> 'job_id' = j.job_id
      and r.state in ('available', 'pending', 'retryable', 'running', 'scheduled'))
  end`

const forgetEnded = "delete from rag_jobs where completed_at < $1"

type sweepServiceJobs struct {
	river.WorkerDefaults[jobargs.SweepServiceJobs]
	store *store.Store
	clock clock.Clock
}

func (w *sweepServiceJobs) Work(ctx context.Context, _ *river.Job[jobargs.SweepServiceJobs]) error {
	ctx = store.AsSystem(ctx, "services' jobs of every company end and expire")
	now := w.clock.Now()
	if _, err := w.store.Pool().Exec(ctx, endStranded, now, now.Add(-strandedAfter)); err != nil {
		return fmt.Errorf("end stranded jobs of services: %w", err)
	}
	if _, err := w.store.Pool().Exec(ctx, forgetEnded, now.Add(-serviceJobKept)); err != nil {
		return fmt.Errorf("forget ended jobs of services: %w", err)
	}
	err := dbsqlc.New().DeletedIDsSweep(ctx, w.store.Pool(), now.Add(-deletedIDKept))
	if err != nil {
		return fmt.Errorf("forget deleted ids: %w", err)
	}
	return nil
}
