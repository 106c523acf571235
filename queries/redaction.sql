-- name: MessagesRedact :one
-- Redacts a page of the messages that cite the documents: removes what their sources say of the documents, and the follow-up questions,
-- which may be headings of the documents. The answer's text stays. Returns the number of rows; less than row_limit: it was the last page.
with page as (
  delete from message_documents x
  where x.company_id = @company_id and x.project_id = @project_id
    and (x.document_id, x.conversation_id, x.message_id) in (
      select o.document_id, o.conversation_id, o.message_id from message_documents o
      where o.company_id = @company_id and o.project_id = @project_id and o.document_id = any(@document_ids::text[])
      order by o.document_id, o.conversation_id, o.message_id limit @row_limit)
  returning x.conversation_id, x.message_id
), redacted as (
  update messages m set sources = sources_redacted(m.sources, @document_ids::text[]), suggested_follow_ups = '{}'
  from (select distinct p.conversation_id, p.message_id from page p) g
  where m.company_id = @company_id and m.project_id = @project_id and m.conversation_id = g.conversation_id and m.message_id = g.message_id
)
select count(*)::integer from page;

-- name: TestRunItemsRedact :exec
-- Redacts all test results of the project that name the documents. A project has few test runs, so no index is needed.
update test_run_items i set
  result = case when i.result is null then null
    else jsonb_set(i.result, '{sources}', sources_redacted(i.result -> 'sources', @document_ids::text[])) end,
  prompt = case when i.suggested_by = any(@document_ids::text[]) then '' else i.prompt end,
  required_sources = case when i.suggested_by = any(@document_ids::text[]) then '{}' else i.required_sources end
where i.company_id = @company_id and i.project_id = @project_id
  and (i.suggested_by = any(@document_ids::text[]) or exists (
    select from jsonb_array_elements(i.result -> 'sources') s (source) where s.source ->> 'documentId' = any(@document_ids::text[])));

-- name: ActivityRedact :execrows
-- Redacts a page of the activity events about the documents. An event with an empty resource_name is redacted already.
update activity_events e set resource_name = '', metadata = '{"deleted": "true"}',
  summary = 'a document that was deleted: ' || split_part(e.type, '.', 2)
where e.company_id = @company_id and e.event_id in (
  select o.event_id from activity_events o
  where o.company_id = @company_id and o.resource_type = 'document' and o.resource_id = any(@document_ids::text[]) and o.resource_name <> ''
  order by o.resource_id, o.event_id limit @row_limit);

-- name: DeletedIDsNote :exec
-- Records the external ids of the documents as those of deleted documents.
insert into deleted_document_ids (company_id, project_id, id_hash, deleted_at)
select @company_id, @project_id, sha256(convert_to(d.external_id, 'UTF8')), @now::timestamptz
from documents d
where d.company_id = @company_id and d.project_id = @project_id and d.external_id is not null and d.status <> 'deleting'
  and (sqlc.narg(document_id)::text is null or d.document_id = sqlc.narg(document_id)::text)
on conflict (company_id, project_id, id_hash) do update set deleted_at = excluded.deleted_at;

-- name: DeletedIDElsewhere :one
-- Whether another project, of any company, had a document with this external id until recently.
-- @sqlc-vet-disable tenant-scoped
select exists (
  select from deleted_document_ids where id_hash = sha256(convert_to(@id::text, 'UTF8')) and project_id <> @project_id
)::boolean;

-- name: DeletedIDsSweep :exec
-- @sqlc-vet-disable tenant-scoped
delete from deleted_document_ids where deleted_at < @before::timestamptz;

-- name: DocumentsStay :many
-- Returns the documents that exist and locks them, so that none is deleted before the transaction ends. A deletion waits for this
-- transaction and then redacts what it stored.
select document_id from documents
where company_id = @company_id and project_id = @project_id and document_id = any(@document_ids::text[]) and status <> 'deleting'
order by document_id for key share;
