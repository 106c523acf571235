-- name: RagJobCreate :exec
-- Without anything to do it has ended.
insert into rag_jobs (company_id, project_id, job_id, type, total, model, status, created_at, started_at, completed_at)
values (@company_id, @project_id, @job_id, @type, @total, sqlc.narg(model), case when @total::integer = 0 then 'completed' else 'queued' end,
  @now::timestamptz, case when @total::integer = 0 then @now::timestamptz end, case when @total::integer = 0 then @now::timestamptz end);

-- name: RagJobByID :one
-- For the operator's services, which name a job and no company.
-- @sqlc-vet-disable tenant-scoped
select * from rag_jobs where job_id = @job_id;

-- name: RagJobStarted :exec
-- The first worker has taken up a part of the job.
update rag_jobs set status = 'running', started_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and job_id = @job_id and status = 'queued';
