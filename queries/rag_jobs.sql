-- name: RagJobCreate :exec
-- A job with nothing to do is stored as completed.
insert into rag_jobs (company_id, project_id, job_id, type, total, model, status, created_at, started_at, completed_at)
values (@company_id, @project_id, @job_id, @type, @total, sqlc.narg(model), case when @total::integer = 0 then 'completed' else 'queued' end,
  @now::timestamptz, case when @total::integer = 0 then @now::timestamptz end, case when @total::integer = 0 then @now::timestamptz end);

-- name: RagJobByID :one
-- For rag clients, which name a job but no company.
-- @sqlc-vet-disable tenant-scoped
select * from rag_jobs where job_id = @job_id;

-- name: RagJobStarted :exec
-- The first worker has started a part of the job.
update rag_jobs set status = 'running', started_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and job_id = @job_id and status = 'queued';

-- name: RagJobsCancel :exec
-- Cancels the open jobs of these types in the project, since something later makes them needless.
update rag_jobs set status = 'canceled', completed_at = @now::timestamptz, started_at = coalesce(started_at, @now::timestamptz)
where company_id = @company_id and project_id = @project_id and completed_at is null and type = any(@types::text[]);

-- name: RagJobReindexing :one
-- The open job that builds the vectors of the model. No row: there is none.
select job_id from rag_jobs
where company_id = @company_id and project_id = @project_id and type = 'reindex' and model = @model::text and completed_at is null
order by created_at limit 1;

-- name: RagJobProgressed :execrows
-- 0: the job has ended, or is gone.
update rag_jobs set status = 'running', started_at = coalesce(started_at, @now::timestamptz), done = @done, total = greatest(@total::integer, @done)
where company_id = @company_id and project_id = @project_id and job_id = @job_id and completed_at is null;

-- name: RagJobAdvanced :exec
-- More of the job is done.
update rag_jobs set status = 'running', started_at = coalesce(started_at, @now::timestamptz), done = least(done + @added::integer, total)
where company_id = @company_id and project_id = @project_id and job_id = @job_id and completed_at is null;

-- name: RagJobCompleted :execrows
-- 0: the job has ended, or is gone.
update rag_jobs set status = 'completed', done = total, completed_at = @now::timestamptz, started_at = coalesce(started_at, @now::timestamptz)
where company_id = @company_id and project_id = @project_id and job_id = @job_id and completed_at is null;

-- name: RagJobFailed :exec
-- Ends a job whose work belongs to the whole project and not to single documents.
update rag_jobs set status = 'failed', failed = total - done, completed_at = @now::timestamptz,
  started_at = coalesce(started_at, @now::timestamptz),
  errors = errors || jsonb_build_object('documentId', '', 'error', @message::text, 'code', @code::text)
where company_id = @company_id and project_id = @project_id and job_id = @job_id and completed_at is null;
