-- name: DocumentCreate :one
insert into documents (company_id, project_id, document_id, filename, title, content_type, format, source_type, source_url, upload_key,
  created_by, created_at, updated_at)
values (@company_id, @project_id, @document_id, @filename, @title, @content_type, @format, @source_type, sqlc.narg(source_url),
  sqlc.narg(upload_key), sqlc.narg(created_by), @now, @now)
returning *;

-- name: DocumentGet :one
select * from documents where company_id = @company_id and project_id = @project_id and document_id = @document_id;

-- name: DocumentForStep :one
-- A document that is to be worked, and the status of its project.
select sqlc.embed(d), p.status as project_status from documents d join projects p on p.company_id = d.company_id and p.project_id = d.project_id
where d.company_id = @company_id and d.project_id = @project_id and d.document_id = @document_id;

-- name: DocumentsStop :exec
-- Ends the ingestions of a project that is being archived. Those that end by themselves just now are passed over, see
-- DocumentsStartProcessing; what is left of them ends at its next step.
with stopped as (
  update documents x set status = 'failed', stage = null, progress = null, processing_started_at = null, queued_at = null, work = null,
    error_code = @error_code::text, error_message = @error_message::text, error_retryable = false, updated_at = @now
  where x.company_id = @company_id and x.project_id = @project_id and x.document_id in (
    select d.document_id from documents d
    where d.company_id = @company_id and d.project_id = @project_id and d.status = 'processing' for no key update skip locked
  )
  returning x.document_id
)
delete from chunk_stage s using stopped
where s.company_id = @company_id and s.project_id = @project_id and s.document_id = stopped.document_id;

-- name: DocumentGetForUpdate :one
select * from documents where company_id = @company_id and project_id = @project_id and document_id = @document_id for update;

-- name: DocumentList :many
-- Newest first, the cursor is the last row's (created_at, document_id).
select * from documents
where company_id = @company_id and project_id = @project_id
  and (sqlc.narg(status)::text is null or status = sqlc.narg(status)::text)
  and (sqlc.narg(source_type)::text is null or source_type = sqlc.narg(source_type)::text)
  and (created_at, document_id) < (@before_created_at::timestamptz, @before_document_id::text)
order by created_at desc, document_id desc limit @row_limit;

-- name: DocumentConfirm :one
-- pending to uploaded: the object is in its final place. No row: another state won.
update documents set status = 'uploaded', object_key = @object_key, object_etag = @object_etag, size_bytes = @size_bytes,
  format = @format, content_type = @content_type, upload_key = null, uploaded_at = @now::timestamptz, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id and status = 'pending'
returning *;

-- name: DocumentStorageUsed :one
-- Bytes that the company's documents hold, for the plan's storage limit: present files and those that are to replace them.
-- Archived projects do not count: nobody can delete anything from them.
select coalesce(sum(d.size_bytes + coalesce((d.replacement ->> 'sizeBytes')::bigint, 0)), 0)::bigint
from documents d join projects p on p.company_id = d.company_id and p.project_id = d.project_id
where d.company_id = @company_id and p.status <> 'archived' and d.status <> 'deleting';

-- name: DocumentDelete :one
-- Takes chunks and terms with it. The object is removed by a job of the same transaction.
delete from documents where company_id = @company_id and project_id = @project_id and document_id = @document_id returning *;

-- name: DocumentsStartProcessing :many
-- Starts a run for every document of the project that is in one of the statuses: of all, or of those named. run_job_id: the job of
-- a service that asked for it. One that somebody else changes just now is left to them: who waited for it here, with the
-- project locked, could be waited for by an ingestion that ends. unread: the file must be fetched from its source first.
update documents x set status = 'processing', stage = 'parsing', progress = 0, error_code = null, error_message = null,
  error_retryable = null, ingest_run = x.ingest_run + 1, run_job_id = sqlc.narg(run_job_id), processing_started_at = null,
  queued_at = @now::timestamptz, work = null, updated_at = @now::timestamptz
where x.company_id = @company_id and x.project_id = @project_id and x.document_id in (
  select d.document_id from documents d
  where d.company_id = @company_id and d.project_id = @project_id and d.status = any(@statuses::text[])
    and (sqlc.narg(document_ids)::text[] is null or d.document_id = any(sqlc.narg(document_ids)::text[]))
  for no key update skip locked
)
returning x.document_id, x.ingest_run,
  (case when x.replacement is null then x.object_key else x.replacement ->> 'objectKey' end is null)::boolean as unread;

-- name: DocumentRunLock :one
-- The document, locked, while the run may still write it. No row: deleted, timed out, or started anew.
select * from documents
where company_id = @company_id and project_id = @project_id and document_id = @document_id
  and status = 'processing' and ingest_run = @run for no key update;

-- name: DocumentProgress :execrows
-- 0: the run is over.
update documents set stage = @stage::text, progress = @progress::real, page_count = coalesce(sqlc.narg(page_count), page_count),
  updated_at = @now
where company_id = @company_id and project_id = @project_id and document_id = @document_id
  and status = 'processing' and ingest_run = @run;

-- name: DocumentIndexed :one
-- vector_models: the models of which every chunk has a vector. Null: the chunks are those from before.
update documents set status = 'indexed', stage = null, progress = null, processing_started_at = null, queued_at = null, work = null,
  vector_models = coalesce(sqlc.narg(vector_models)::text[], vector_models), sha256 = @sha256::text, language = sqlc.narg(language),
  page_count = sqlc.narg(page_count), chunk_count = @chunk_count, error_code = null, error_message = null, error_retryable = null,
  indexed_at = @now::timestamptz, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id
  and status = 'processing' and ingest_run = @run
returning *;

-- name: DocumentFailed :one
-- No row: the run is over.
update documents set status = 'failed', stage = null, progress = null, processing_started_at = null, queued_at = null, work = null, error_code = @error_code::text,
  error_message = @error_message::text, error_retryable = @error_retryable::boolean, updated_at = @now
where company_id = @company_id and project_id = @project_id and document_id = @document_id
  and status = 'processing' and ingest_run = @run
returning *;

-- name: DocumentAnyProcessing :one
select exists (
  select from documents where company_id = @company_id and project_id = @project_id and status = 'processing'
)::boolean;

-- name: DocumentCounts :one
-- Processing counts uploaded ones too: they wait for the next sync.
select count(*)::integer as total, (count(*) filter (where status = 'indexed'))::integer as indexed,
  (count(*) filter (where status in ('uploaded', 'processing')))::integer as processing,
  (count(*) filter (where status = 'failed'))::integer as failed, coalesce(sum(chunk_count), 0)::integer as chunks,
  coalesce(sum(size_bytes), 0)::bigint as size_bytes
from documents where company_id = @company_id and project_id = @project_id;

-- name: DocumentBegun :execrows
-- A worker takes the document: from now on the deadline counts. Another attempt after a fault changes nothing.
update documents set progress = greatest(progress, 0.01), processing_started_at = @now::timestamptz, queued_at = null, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id
  and status = 'processing' and ingest_run = @run and processing_started_at is null;

-- name: DocumentQueued :exec
-- The document goes back to the queue for its next step, and the wait does not count. work: what was read, null where the
-- next step reads.
update documents set stage = @stage::text, progress = @progress::real, page_count = coalesce(sqlc.narg(page_count), page_count),
  work = @work, processing_started_at = null, queued_at = @now::timestamptz, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id
  and status = 'processing' and ingest_run = @run;

-- name: DocumentsOverdue :many
-- For the sweeper: worked beyond the published deadline (15 minutes and 5 seconds a page). The wait for a worker does not
-- count, so that a long queue fails nothing; what no worker took within a day has lost its job.
-- @sqlc-vet-disable tenant-scoped
select company_id, project_id, document_id, ingest_run from documents
where status = 'processing' and coalesce(processing_started_at, queued_at)
  + make_interval(secs => case when processing_started_at is null then 86400 else 900 + 5 * coalesce(page_count, 0) end) < @now::timestamptz
order by coalesce(processing_started_at, queued_at), document_id limit 100;

-- name: DocumentsAbandoned :many
-- For the sweeper: reserved and never confirmed. Takes at most a thousand.
-- @sqlc-vet-disable tenant-scoped
delete from documents where document_id in (
  select d.document_id from documents d where d.status = 'pending' and d.created_at < @before::timestamptz
  order by d.created_at, d.document_id limit 1000 for update skip locked
)
returning company_id, project_id, document_id, upload_key;

-- name: DocumentIngest :one
-- A document that a service brings: its first run begins at once.
insert into documents (company_id, project_id, document_id, external_id, filename, title, content_type, format, source_type, source_url,
  object_key, object_etag, size_bytes, metadata, chunk_size, chunk_overlap, status, stage, progress, ingest_run, run_job_id,
  queued_at, uploaded_at, created_at, updated_at)
values (@company_id, @project_id, @document_id, sqlc.narg(external_id), @filename, @title, @content_type, @format, 'api',
  sqlc.narg(source_url), sqlc.narg(object_key), sqlc.narg(object_etag), @size_bytes, @metadata, sqlc.narg(chunk_size),
  sqlc.narg(chunk_overlap), 'processing', 'parsing', 0, 1, @run_job_id::text, @now::timestamptz, @now::timestamptz, @now::timestamptz, @now::timestamptz)
returning *;

-- name: DocumentsOfClient :many
-- The project's documents of these ids, the callers' own or the service's, locked: all before any of them is written, and
-- in an order of their own, so that those who lock several never wait for each other in a circle.
select * from documents
where company_id = @company_id and project_id = @project_id and status <> 'deleting'
  and (external_id = any(@ids::text[]) or document_id = any(@ids::text[]))
order by document_id for no key update;

-- name: DocumentReplace :one
-- Starts a run that reads another file. What is indexed keeps answering until that one is.
update documents set replacement = @replacement, source_type = 'api', status = 'processing', stage = 'parsing', progress = 0,
  error_code = null, error_message = null, error_retryable = null, ingest_run = ingest_run + 1, run_job_id = @run_job_id::text,
  processing_started_at = null, queued_at = @now::timestamptz, work = null, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id
returning *;

-- name: DocumentFetched :exec
-- The file that was read from the document's source.
update documents set object_key = @object_key::text, object_etag = @object_etag::text, size_bytes = @size_bytes,
  content_type = @content_type, format = @format, filename = @filename, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id
  and status = 'processing' and ingest_run = @run;

-- name: DocumentReplacementFetched :exec
-- The same for a file that is to replace the present one.
update documents set replacement = @replacement, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id
  and status = 'processing' and ingest_run = @run;

-- name: DocumentActivateReplacement :exec
-- The replacement becomes the document's file, in the transaction that indexes it.
update documents set filename = @filename, title = @title, content_type = @content_type, format = @format, size_bytes = @size_bytes,
  source_url = sqlc.narg(source_url), object_key = sqlc.narg(object_key), object_etag = sqlc.narg(object_etag), metadata = @metadata,
  chunk_size = sqlc.narg(chunk_size), chunk_overlap = sqlc.narg(chunk_overlap), replacement = null, version_number = version_number + 1
where company_id = @company_id and project_id = @project_id and document_id = @document_id
  and status = 'processing' and ingest_run = @run;

-- name: DocumentForgetFile :exec
-- A file that was read from its source and could not be indexed: the next run reads the source anew.
update documents set
  object_key = case when replacement is null then null else object_key end,
  size_bytes = case when replacement is null then 0 else size_bytes end,
  replacement = (replacement - array['objectKey', 'objectEtag']) || jsonb_build_object('sizeBytes', 0)
where company_id = @company_id and project_id = @project_id and document_id = @document_id and status in ('uploaded', 'indexed', 'failed');

-- name: DocumentsFindForClient :many
-- Where a service's id leads to, over all companies: two rows say that it is ambiguous.
-- @sqlc-vet-disable tenant-scoped
select company_id, project_id, document_id from documents
where status <> 'deleting' and (document_id = @id::text or external_id = @id::text)
  and (sqlc.narg(project_id)::text is null or project_id = sqlc.narg(project_id)::text)
order by document_id limit 2;

-- name: DocumentsLock :many
-- All of the project, see DocumentsOfClient.
select document_id, status from documents
where company_id = @company_id and project_id = @project_id order by document_id for no key update;

-- name: DocumentsLockFree :many
-- Those of the documents that nobody changes just now, see DocumentsStartProcessing.
select document_id from documents
where company_id = @company_id and project_id = @project_id and document_id = any(@document_ids::text[])
  and status in ('uploaded', 'indexed', 'failed')
order by document_id for no key update skip locked;

-- name: DocumentsMarkDeleting :execrows
-- Nothing of them is found from here on, and their ids are free. Those that are marked already are counted again.
update documents set status = 'deleting', stage = null, progress = null, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id;

-- name: DocumentsDeleteMarked :many
-- Takes chunks and vectors with them.
delete from documents x where x.company_id = @company_id and x.project_id = @project_id and x.document_id in (
  select d.document_id from documents d
  where d.company_id = @company_id and d.project_id = @project_id and d.status = 'deleting'
  order by d.document_id limit @row_limit for update
)
returning *;
