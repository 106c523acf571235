-- What a deleted document leaves in messages, test runs and the activity feed is redacted by a job, which finds it by these.

-- Which documents a message quotes or takes its follow-up questions from. A table, since row-level security keeps indexes
-- of arrays and JSON out of every plan: their operators are not leakproof, the equality of texts is.
create table message_documents (
  company_id text not null,
  project_id text not null,
  document_id text not null,
  conversation_id text not null,
  message_id text not null,
  primary key (company_id, project_id, document_id, conversation_id, message_id),
  foreign key (company_id, project_id, conversation_id, message_id) references messages on delete cascade
);
-- Deleting a message finds its rows by it.
create index message_documents_message_idx on message_documents (company_id, project_id, conversation_id, message_id);

create index activity_events_document_idx on activity_events (company_id, resource_id) where resource_type = 'document';

-- Ids that services gave to documents which were deleted, by their hashes, for a day: who repeats a deletion and names no
-- project must not meet the document of somebody else that goes by the same id.
create table deleted_document_ids (
  company_id text not null,
  project_id text not null,
  id_hash bytea not null,
  deleted_at timestamptz not null,
  primary key (company_id, project_id, id_hash),
  foreign key (company_id, project_id) references projects on delete cascade
);
create index deleted_document_ids_hash_idx on deleted_document_ids (id_hash);

-- The document whose headings suggested the question of a test run; null where somebody wrote it.
alter table test_run_items add column suggested_by text;

-- The sources of an answer without what they tell of deleted documents. Only what is named here stays.
create function sources_redacted(sources jsonb, deleted text[]) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(case when s.source ->> 'documentId' = any(deleted) then jsonb_build_object(
      'index', s.source -> 'index', 'documentId', s.source -> 'documentId', 'documentTitle', '', 'location', '', 'excerpt', '',
      'excerptSpan', '{"start": 0, "end": 0}'::jsonb, 'score', s.source -> 'score', 'spans', s.source -> 'spans', 'deleted', true)
    else s.source end order by s.place), '[]'::jsonb)
  from jsonb_array_elements(sources) with ordinality s (source, place)
$$;

-- What was stored before. The rows are everybody's, and row-level security binds the owner of the tables, too.
select set_config('app.company_id', '*', true);

insert into message_documents (company_id, project_id, document_id, conversation_id, message_id)
select distinct m.company_id, m.project_id, s.source ->> 'documentId', m.conversation_id, m.message_id
from messages m cross join lateral jsonb_array_elements(m.sources) s (source)
join documents d on d.company_id = m.company_id and d.project_id = m.project_id and d.document_id = s.source ->> 'documentId';

-- Follow-up questions were made of headings; whose, nobody noted.
update messages m set sources = sources_redacted(m.sources, g.deleted), suggested_follow_ups = '{}'
from (
  select o.company_id, o.project_id, o.conversation_id, o.message_id, array_agg(s.source ->> 'documentId') as deleted
  from messages o cross join lateral jsonb_array_elements(o.sources) s (source)
  where not exists (select from documents d where d.company_id = o.company_id and d.project_id = o.project_id
    and d.document_id = s.source ->> 'documentId')
  group by o.company_id, o.project_id, o.conversation_id, o.message_id
) g
where m.company_id = g.company_id and m.project_id = g.project_id and m.conversation_id = g.conversation_id and m.message_id = g.message_id;

update test_run_items i set result = jsonb_set(i.result, '{sources}', sources_redacted(i.result -> 'sources', array(
  select s.source ->> 'documentId' from jsonb_array_elements(i.result -> 'sources') s (source)
  where not exists (select from documents d where d.company_id = i.company_id and d.project_id = i.project_id
    and d.document_id = s.source ->> 'documentId'))))
where i.result is not null;

update activity_events e set resource_name = '', metadata = '{"deleted": "true"}',
  summary = case e.type when 'document.deleted' then 'a document was deleted' else 'a document that was deleted: ' || split_part(e.type, '.', 2) end
where e.resource_type = 'document' and not exists (select from documents d where d.company_id = e.company_id and d.document_id = e.resource_id);

-- A suggestion is made anew from the documents each time: what is kept of it needs no words.
update test_prompts set prompt = '', expected_answer = null, required_sources = '{}' where source = 'suggested';

do $$
declare
  t text;
begin
  foreach t in array array['message_documents', 'deleted_document_ids'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format($p$create policy tenant on %I
      using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
      with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')$p$, t);
  end loop;
end $$;
