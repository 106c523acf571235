-- name: MessagesRedact :one
-- A page of the messages that name the documents: their sources tell nothing of them any more, and the follow-up questions,
-- which may be headings of them, are gone. The answer's own text stays. How many rows the page had; less than row_limit: the last.
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
-- A project keeps few runs, so that all of its items are looked at.
update test_run_items i set
  result = case when i.result is null then null
    else jsonb_set(i.result, '{sources}', sources_redacted(i.result -> 'sources', @document_ids::text[])) end,
  prompt = case when i.suggested_by = any(@document_ids::text[]) then '' else i.prompt end,
  required_sources = case when i.suggested_by = any(@document_ids::text[]) then '{}' else i.required_sources end
where i.company_id = @company_id and i.project_id = @project_id
  and (i.suggested_by = any(@document_ids::text[]) or exists (
    select from jsonb_array_elements(i.result -> 'sources') s (source) where s.source ->> 'documentId' = any(@document_ids::text[])));

-- name: ActivityRedact :execrows
-- A page of what the activity feed tells of the documents. An event without a name is redacted already.
update activity_events e set resource_name = '', metadata = '{"deleted": "true"}',
  summary = 'a document that was deleted: ' || split_part(e.type, '.', 2)
where e.company_id = @company_id and e.event_id in (
  select o.event_id from activity_events o
  where o.company_id = @company_id and o.resource_type = 'document' and o.resource_id = any(@document_ids::text[]) and o.resource_name <> ''
  order by o.resource_id, o.event_id limit @row_limit);

-- name: DeletedIDsNote :exec
-- Notes that the documents' ids, where services gave them one, are those of deleted documents.
insert into deleted_document_ids (company_id, project_id, id_hash, deleted_at)
select @company_id, @project_id, sha256(convert_to(d.external_id, 'UTF8')), @now::timestamptz
from documents d
where d.company_id = @company_id and d.project_id = @project_id and d.external_id is not null and d.status <> 'deleting'
  and (sqlc.narg(document_id)::text is null or d.document_id = sqlc.narg(document_id)::text)
on conflict (company_id, project_id, id_hash) do update set deleted_at = excluded.deleted_at;

-- name: DeletedIDElsewhere :one
-- Whether another project has lately had a document of this id, over all companies.
-- @sqlc-vet-disable tenant-scoped
select exists (
  select from deleted_document_ids where id_hash = sha256(convert_to(@id::text, 'UTF8')) and project_id <> @project_id
)::boolean;

-- name: DeletedIDsSweep :exec
-- @sqlc-vet-disable tenant-scoped
delete from deleted_document_ids where deleted_at < @before::timestamptz;

-- name: DocumentsStay :many
-- Those of the documents that are there, and stay until the transaction ends: a deletion waits for it, and redacts what it stored.
select document_id from documents
where company_id = @company_id and project_id = @project_id and document_id = any(@document_ids::text[]) and status <> 'deleting'
order by document_id for key share;
