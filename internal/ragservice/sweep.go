package ragservice

import (
	"context"
	"fmt"
	"time"

	"docqa/internal/store"
)

// jobKept is how long rag clients can read how a job ended.
const jobKept = 30 * 24 * time.Hour

// deletedIDKept is how long the deletion of a document may be repeated by its id alone
// without meeting another document: as long as any request may be repeated.
const deletedIDKept = 24 * time.Hour

// strandedAfter keeps the sweep from jobs whose parts are still being inserted.
const strandedAfter = 10 * time.Minute

// endStranded fails the jobs of rag clients that nobody works any more: no document of theirs
// is being ingested, and no job of the queue does them. No known fault leaves one behind; an
// unknown one must not leave a client waiting.
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

// Sweep ends the jobs of rag clients that nobody works and removes old ones, of every
// company. For the worker.
func (s *Service) Sweep(ctx context.Context) error {
	ctx = store.AsSystem(ctx, "jobs of rag clients of every company end and expire")
	now := s.Clock.Now()
	if _, err := s.Store.Pool().Exec(ctx, endStranded, now, now.Add(-strandedAfter)); err != nil {
		return fmt.Errorf("end stranded jobs of rag clients: %w", err)
	}
	if _, err := s.Store.Pool().Exec(ctx, forgetEnded, now.Add(-jobKept)); err != nil {
		return fmt.Errorf("remove ended jobs of rag clients: %w", err)
	}
	if err := s.q.DeletedIDsSweep(ctx, s.Store.Pool(), now.Add(-deletedIDKept)); err != nil {
		return fmt.Errorf("remove deleted ids: %w", err)
	}
	return nil
}
