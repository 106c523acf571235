-- The jobs that rag clients started. errors: [{documentId, error, code}], the first hundred.
create table rag_jobs (
  company_id text not null,
  project_id text not null,
  job_id text not null,
  type text not null check (type in ('ingest', 'batch', 'reindex', 'delete')),
  status text not null default 'queued'
    check (status in ('queued', 'running', 'completed', 'completed_with_errors', 'failed', 'canceled')),
  model text,
  total integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  errors jsonb not null default '[]',
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  primary key (company_id, project_id, job_id),
  constraint rag_jobs_job_id_key unique (job_id),
  foreign key (company_id, project_id) references projects on delete cascade
);
create index rag_jobs_open_idx on rag_jobs (company_id, project_id, type) where completed_at is null;
select add_tenant_policy('rag_jobs');

-- Counts a document of a job in the transaction that ends its ingestion run, whichever statement does it. It does not change a job
-- that has ended already.
create function document_run_ended() returns trigger language plpgsql as $$
declare
  fault jsonb;
  code text;
  message text;
  ended timestamptz := now();
begin
  if tg_op = 'DELETE' then
    code := 'document_deleted';
  else
    ended := new.updated_at;
    if new.status = 'deleting' then
      code := 'document_deleted';
    elsif new.ingest_run <> old.ingest_run then
      code := 'superseded';
    elsif new.status = 'processing' then
      return null;
    elsif new.status <> 'indexed' then
      code := new.error_code;
      message := new.error_message;
    end if;
  end if;
  if code is not null then
    message := coalesce(message, case code when 'superseded' then 'a later ingestion of the document took the place of this one'
      else 'the document was deleted' end);
    fault := jsonb_build_object('documentId', coalesce(old.external_id, old.document_id), 'error', message, 'code', code);
  end if;
  update rag_jobs j set
    done = j.done + (fault is null)::integer,
    failed = j.failed + (fault is not null)::integer,
    errors = case when fault is null or jsonb_array_length(j.errors) >= 100 then j.errors else j.errors || fault end,
    started_at = coalesce(j.started_at, ended),
    completed_at = case when j.done + j.failed + 1 >= j.total then ended end,
    status = case
      when j.done + j.failed + 1 < j.total then 'running'
      when j.failed + (fault is not null)::integer = 0 then 'completed'
      when j.done + (fault is null)::integer = 0 then 'failed'
      else 'completed_with_errors' end
  where j.company_id = old.company_id and j.project_id = old.project_id and j.job_id = old.run_job_id and j.completed_at is null;
  return null;
end $$;
create trigger documents_run_ended after update or delete on documents
  for each row when (old.status = 'processing' and old.run_job_id is not null) execute function document_run_ended();
