create table conversations (
  company_id text not null,
  project_id text not null,
  conversation_id text not null,
  session_id text not null,
  visitor_id text not null,
  channel text not null check (channel in ('dashboard', 'public', 'msgapp')),
  source text not null check (source in ('frontend', 'api_key', 'msgapp')),
  preview text not null,
  message_count integer not null default 0,
  review_status text not null default 'unreviewed' check (review_status in ('unreviewed', 'unresolved', 'resolved')),
  rating text check (rating in ('good', 'bad')),
  notes text not null default '',
  escalated_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, project_id, conversation_id),
  constraint conversations_conversation_id_key unique (conversation_id),
  constraint conversations_session_id_key unique (session_id),
  foreign key (company_id, project_id) references projects on delete cascade
);
-- Each list has an index in its order, so that only the rows of a page are read.
create index conversations_workspace_idx on conversations (company_id, updated_at desc, conversation_id desc);
create index conversations_project_idx on conversations (company_id, project_id, updated_at desc, conversation_id desc);
create index conversations_visitor_list_idx on conversations (company_id, project_id, visitor_id, updated_at desc, conversation_id desc);
-- A project's overview counts only few of its conversations, so this index stays small.
create index conversations_unresolved_idx on conversations (company_id, project_id) where review_status = 'unresolved';
select add_tenant_policy('conversations');

create table messages (
  company_id text not null,
  project_id text not null,
  conversation_id text not null,
  message_id text not null,
  role text not null check (role in ('user', 'assistant', 'system')),
  content text not null,
  kind text check (kind in ('answer', 'lead_capture_prompt', 'no_answer')),
  sources jsonb not null default '[]',
  suggested_follow_ups text[] not null default '{}',
  confidence_level text check (confidence_level in ('high', 'medium', 'low', 'none')),
  confidence_score real,
  rating text check (rating in ('up', 'down')),
  rated_at timestamptz,
  model text,
  prompt_tokens integer,
  completion_tokens integer,
  created_at timestamptz not null default now(),
  primary key (company_id, project_id, conversation_id, message_id),
  foreign key (company_id, project_id, conversation_id) references conversations on delete cascade
);
-- The questions of a month are counted by their time, without their conversations.
create index messages_asked_idx on messages (company_id, project_id, created_at) where role = 'user';
-- A project's overview counts only few of its messages, so these indexes stay small.
create index messages_rated_idx on messages (company_id, project_id, rated_at) where rating is not null;
create index messages_weak_idx on messages (company_id, project_id, created_at) where kind in ('no_answer', 'lead_capture_prompt');
select add_tenant_policy('messages');

-- The documents that a message quotes or takes its follow-up questions from. The job that redacts a deleted document finds the
-- messages by it. It is a table, since row-level security stops the planner from using indexes of arrays and JSON: their operators
-- are not leakproof; the equality of texts is.
create table message_documents (
  company_id text not null,
  project_id text not null,
  document_id text not null,
  conversation_id text not null,
  message_id text not null,
  primary key (company_id, project_id, document_id, conversation_id, message_id),
  foreign key (company_id, project_id, conversation_id, message_id) references messages on delete cascade
);
-- For deleting the rows of a message.
create index message_documents_message_idx on message_documents (company_id, project_id, conversation_id, message_id);
select add_tenant_policy('message_documents');

-- Returns the sources of an answer without the content of deleted documents. Of their sources only the members named here stay.
create function sources_redacted(sources jsonb, deleted text[]) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(case when s.source ->> 'documentId' = any(deleted) then jsonb_build_object(
      'index', s.source -> 'index', 'documentId', s.source -> 'documentId', 'documentTitle', '', 'location', '', 'excerpt', '',
      'excerptSpan', '{"start": 0, "end": 0}'::jsonb, 'score', s.source -> 'score', 'spans', s.source -> 'spans', 'deleted', true)
    else s.source end order by s.place), '[]'::jsonb)
  from jsonb_array_elements(sources) with ordinality s (source, place)
$$;

-- The messages of a company in a month, counted in sixteen rows (shards). A question locks one of them until its transaction ends,
-- so that questions of one company seldom wait for each other. Each shard has its share of the quota (internal/chat/quota.go).
create table usage_shards (
  company_id text not null references companies on delete cascade,
  month date not null,
  shard smallint not null check (shard between 0 and 15),
  messages integer not null default 0,
  primary key (company_id, month, shard)
) with (fillfactor = 50);
select add_tenant_policy('usage_shards');

-- The text of streamed answers, so that any process can continue an answer for a reader that lost its connection. Unlogged: the
-- rows are of no use after a crash of the database, and are deleted a few minutes after their answer. body: the text so far, a
-- little behind the stream; body_bytes: its length after the last write, so that a repeated write adds nothing.
create unlogged table answer_streams (
  company_id text not null,
  project_id text not null,
  message_id text not null,
  conversation_id text not null,
  session_id text not null,
  visitor_id text not null,
  body text not null,
  body_bytes integer not null,
  error_code text not null default '',
  error_message text not null default '',
  began_at timestamptz not null,
  updated_at timestamptz not null default now(),
  primary key (company_id, project_id, message_id),
  foreign key (company_id, project_id) references projects on delete cascade
);
select add_tenant_policy('answer_streams');

-- The open streams of each project, so that the plan's limit applies to all processes together. A row expires at expires_at unless its
-- process renews it, so that the streams of a dead process stop counting. Unlogged: after a crash of the database every process
-- inserts its own again.
create unlogged table stream_leases (
  company_id text not null,
  project_id text not null,
  stream_id text not null,
  expires_at timestamptz not null,
  primary key (company_id, project_id, stream_id),
  foreign key (company_id, project_id) references projects on delete cascade
) with (fillfactor = 50);
select add_tenant_policy('stream_leases');

-- Opens a stream if fewer than p_most are open in the project, and returns whether it did. The streams of p_closed have ended, though
-- their rows may still exist. Because of the lock, two openings in a project run one after the other, and each sees what the one
-- before committed.
create function stream_lease_take(p_company text, p_project text, p_stream text, p_closed text[], p_most integer, p_lease interval)
returns boolean
language plpgsql as $$
declare
  opened integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('stream_leases ' || p_project, 0));
  select count(*) into opened from stream_leases s
  where s.company_id = p_company and s.project_id = p_project and s.expires_at > now() and s.stream_id <> all (p_closed);
  if opened >= p_most then
    return false;
  end if;
  insert into stream_leases (company_id, project_id, stream_id, expires_at) values (p_company, p_project, p_stream, now() + p_lease);
  return true;
end $$;
