-- name: DocumentCreate :one
insert into documents (company_id, project_id, document_id, filename, title, content_type, format, source_type, source_url, upload_key,
  created_by, created_at, updated_at)
values (@company_id, @project_id, @document_id, @filename, @title, @content_type, @format, @source_type, sqlc.narg(source_url),
  sqlc.narg(upload_key), sqlc.narg(created_by), @now, @now)
returning *;

-- name: DocumentGet :one
select * from documents where company_id = @company_id and project_id = @project_id and document_id = @document_id;

-- name: DocumentForStep :one
-- The document of an ingestion step, and the status of its project.
select sqlc.embed(d), p.status as project_status from documents d join projects p on p.company_id = d.company_id and p.project_id = d.project_id
where d.company_id = @company_id and d.project_id = @project_id and d.document_id = @document_id;

-- name: DocumentsStop :exec
-- Ends the ingestions of a project that is being archived. It skips documents that another transaction has locked, see
-- DocumentsStartProcessing; an ingestion that is still running ends at its next step.
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
-- Newest first; the cursor is (created_at, document_id) of the last row.
select * from documents
where company_id = @company_id and project_id = @project_id
  and (sqlc.narg(status)::text is null or status = sqlc.narg(status)::text)
  and (sqlc.narg(source_type)::text is null or source_type = sqlc.narg(source_type)::text)
  and (created_at, document_id) < (@before_created_at::timestamptz, @before_document_id::text)
order by created_at desc, document_id desc limit @row_limit;

-- name: DocumentConfirm :one
-- Changes pending to uploaded: the object has its final key. No row: the document is no longer pending.
update documents set status = 'uploaded', object_key = @object_key, object_etag = @object_etag, size_bytes = @size_bytes,
  format = @format, content_type = @content_type, upload_key = null, uploaded_at = @now::timestamptz, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id and status = 'pending'
returning *;

-- name: DocumentStorageUsed :one
-- The bytes of the company's documents, for the plan's storage limit: current files and replacements. Archived projects do not count,
-- since nobody can delete anything from them.
select coalesce(sum(d.size_bytes + coalesce((d.replacement ->> 'sizeBytes')::bigint, 0)), 0)::bigint
from documents d join projects p on p.company_id = d.company_id and p.project_id = d.project_id
where d.company_id = @company_id and p.status <> 'archived' and d.status <> 'deleting';

-- name: DocumentDelete :one
-- Deletes chunks and terms too. A job of the same transaction removes the stored object.
delete from documents where company_id = @company_id and project_id = @project_id and document_id = @document_id returning *;

-- name: DocumentsStartProcessing :many
-- Starts an ingestion run for every document of the project that has one of the statuses; if document_ids is not null, only for those.
-- run_job_id: the job of the rag client that asked for it. A document that another transaction has locked is skipped: the caller holds
-- the lock of the project, and an ingestion that ends locks its document first and the project second, so waiting here could be a
-- deadlock. unread: the file must be fetched from its source first.
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
-- Reads and locks the document if this ingestion run may still write it. No row: the document was deleted, timed out, or a later run
-- has started.
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
-- vector_models: the models of which every chunk has a vector. Null: the chunks have not changed, so the column keeps its value.
update documents set status = 'indexed', stage = null, progress = null, processing_started_at = null, queued_at = null, work = null,
  vector_models = coalesce(sqlc.narg(vector_models)::text[], vector_models), sha256 = @sha256::text, language = sqlc.narg(language),
  page_count = sqlc.narg(page_count), left_out = sqlc.narg(left_out), chunk_count = @chunk_count, error_code = null, error_message = null, error_retryable = null,
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
-- Uploaded documents count as processing: they wait for the next sync.
select count(*)::integer as total, (count(*) filter (where status = 'indexed'))::integer as indexed,
  (count(*) filter (where status in ('uploaded', 'processing')))::integer as processing,
  (count(*) filter (where status = 'failed'))::integer as failed, coalesce(sum(chunk_count), 0)::integer as chunks,
  coalesce(sum(size_bytes), 0)::bigint as size_bytes
from documents where company_id = @company_id and project_id = @project_id;

-- name: DocumentBegun :execrows
-- A worker has started on the document: its deadline counts from now on. Another attempt after a fault changes nothing.
update documents set progress = greatest(progress, 0.01), processing_started_at = @now::timestamptz, queued_at = null, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id
  and status = 'processing' and ingest_run = @run and processing_started_at is null;

-- name: DocumentQueued :exec
-- The document waits in the queue for its next step; the time of the wait does not count against its deadline. work: what was read, or
-- null if the next step has to read the file.
update documents set stage = @stage::text, progress = @progress::real, page_count = coalesce(sqlc.narg(page_count), page_count),
  work = @work, processing_started_at = null, queued_at = @now::timestamptz, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id
  and status = 'processing' and ingest_run = @run;

-- name: DocumentsOverdue :many
-- For the sweeper: documents past the published deadline (15 minutes and 5 seconds a page). The time in the queue does not count, so that
-- a long queue fails no document. But a document that no worker has started within a day has lost its job.
-- @sqlc-vet-disable tenant-scoped
select company_id, project_id, document_id, ingest_run from documents
where status = 'processing' and coalesce(processing_started_at, queued_at)
  + make_interval(secs => case when processing_started_at is null then 86400 else 900 + 5 * coalesce(page_count, 0) end) < @now::timestamptz
order by coalesce(processing_started_at, queued_at), document_id limit 100;

-- name: DocumentsAbandoned :many
-- For the sweeper: deletes documents that were reserved and never confirmed, at most a thousand.
-- @sqlc-vet-disable tenant-scoped
delete from documents where document_id in (
  select d.document_id from documents d where d.status = 'pending' and d.created_at < @before::timestamptz
  order by d.created_at, d.document_id limit 1000 for update skip locked
)
returning company_id, project_id, document_id, upload_key;

-- name: DocumentIngest :one
-- A document of a rag client. Its first ingestion run begins at once.
insert into documents (company_id, project_id, document_id, external_id, filename, title, content_type, format, source_type, source_url,
  object_key, object_etag, size_bytes, metadata, chunk_size, chunk_overlap, status, stage, progress, ingest_run, run_job_id,
  queued_at, uploaded_at, created_at, updated_at)
values (@company_id, @project_id, @document_id, sqlc.narg(external_id), @filename, @title, @content_type, @format, 'api',
  sqlc.narg(source_url), sqlc.narg(object_key), sqlc.narg(object_etag), @size_bytes, @metadata, sqlc.narg(chunk_size),
  sqlc.narg(chunk_overlap), 'processing', 'parsing', 0, 1, @run_job_id::text, @now::timestamptz, @now::timestamptz, @now::timestamptz, @now::timestamptz)
returning *;

-- name: DocumentsOfClient :many
-- Reads and locks the project's documents with these ids, external ids or our own. The caller locks all of them before it writes any, and
-- always in the order of document_id: so two transactions cannot wait for each other.
select * from documents
where company_id = @company_id and project_id = @project_id and status <> 'deleting'
  and (external_id = any(@ids::text[]) or document_id = any(@ids::text[]))
order by document_id for no key update;

-- name: DocumentReplace :one
-- Starts an ingestion run for a replacement. The current version answers questions until the replacement is indexed.
update documents set replacement = @replacement, source_type = 'api', status = 'processing', stage = 'parsing', progress = 0,
  error_code = null, error_message = null, error_retryable = null, ingest_run = ingest_run + 1, run_job_id = @run_job_id::text,
  processing_started_at = null, queued_at = @now::timestamptz, work = null, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id
returning *;

-- name: DocumentFetched :exec
-- Stores the file that was fetched from the document's source.
update documents set object_key = @object_key::text, object_etag = @object_etag::text, size_bytes = @size_bytes,
  content_type = @content_type, format = @format, filename = @filename, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id
  and status = 'processing' and ingest_run = @run;

-- name: DocumentReplacementFetched :exec
-- Stores the file that was fetched for a replacement.
update documents set replacement = @replacement, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id
  and status = 'processing' and ingest_run = @run;

-- name: DocumentActivateReplacement :exec
-- Makes the replacement the document's current version, in the transaction that indexes it.
update documents set filename = @filename, title = @title, content_type = @content_type, format = @format, size_bytes = @size_bytes,
  source_url = sqlc.narg(source_url), object_key = sqlc.narg(object_key), object_etag = sqlc.narg(object_etag), metadata = @metadata,
  chunk_size = sqlc.narg(chunk_size), chunk_overlap = sqlc.narg(chunk_overlap), replacement = null, version_number = version_number + 1
where company_id = @company_id and project_id = @project_id and document_id = @document_id
  and status = 'processing' and ingest_run = @run;

-- name: DocumentForgetFile :exec
-- Removes a fetched file that could not be indexed: the next ingestion run fetches it from the source again.
update documents set
  object_key = case when replacement is null then null else object_key end,
  size_bytes = case when replacement is null then 0 else size_bytes end,
  replacement = (replacement - array['objectKey', 'objectEtag']) || jsonb_build_object('sizeBytes', 0)
where company_id = @company_id and project_id = @project_id and document_id = @document_id and status in ('uploaded', 'indexed', 'failed');

-- name: DocumentsFindForClient :many
-- Finds the document with an id of a rag client, in all companies. Two rows mean that the id is ambiguous.
-- @sqlc-vet-disable tenant-scoped
select company_id, project_id, document_id from documents
where status <> 'deleting' and (document_id = @id::text or external_id = @id::text)
  and (sqlc.narg(project_id)::text is null or project_id = sqlc.narg(project_id)::text)
order by document_id limit 2;

-- name: DocumentsLock :many
-- Locks all documents of the project in the order of their ids, see DocumentsOfClient.
select document_id, status from documents
where company_id = @company_id and project_id = @project_id order by document_id for no key update;

-- name: DocumentsLockFree :many
-- Locks those of the documents that no other transaction has locked, see DocumentsStartProcessing.
select document_id from documents
where company_id = @company_id and project_id = @project_id and document_id = any(@document_ids::text[])
  and status in ('uploaded', 'indexed', 'failed')
order by document_id for no key update skip locked;

-- name: DocumentsMarkDeleting :execrows
-- From now on searches do not find the documents, and their ids may be used again. The count includes documents that were marked before.
update documents set status = 'deleting', stage = null, progress = null, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id;

-- name: DocumentsDeleteMarked :many
-- Deletes chunks and vectors too.
delete from documents x where x.company_id = @company_id and x.project_id = @project_id and x.document_id in (
  select d.document_id from documents d
  where d.company_id = @company_id and d.project_id = @project_id and d.status = 'deleting'
  order by d.document_id limit @row_limit for update
)
returning *;
