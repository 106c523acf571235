-- name: ExchangeOpen :batchone
-- What a question needs, in one round trip (a batch can also hold the search): the company's plan and status, its usage of this month,
-- whether the visitor has asked before, and the conversation that the ids name, with its latest questions and the beginnings of the
-- answers to the latest of them (empty where the documents held none), oldest first, and the chunks that its latest answers cite. If now is null, the database's clock decides the month.
--
-- An empty found_conversation_id means that the ids name no conversation or two different ones; then a new conversation starts. The
-- look-ups by conversation id and by session id are two branches of a union, since a cached plan could use no index for a condition on
-- either of them. "is true" stops the planner from using the indexes that begin with the company, so that it uses the index of the id.
select c.plan, c.status as company_status, w.opened_at::timestamptz as opened_at, w.month::date as month,
  coalesce(z.shards, '{}')::integer[] as shards, coalesce(z.messages, '{}')::integer[] as shard_messages,
  (exists (select from conversations v where v.company_id = @company_id and v.project_id = @project_id
    and v.visitor_id = @visitor_id::text))::boolean as visitor_known,
  coalesce(f.conversation_id, '')::text as found_conversation_id,
  coalesce(f.session_id, '')::text as found_session_id,
  coalesce(f.visitor_id, '')::text as found_visitor_id,
  (array(select q.content from (
    select m.content, m.message_id from messages m
    where m.company_id = @company_id and m.project_id = @project_id and m.conversation_id = f.conversation_id and m.role = 'user'
    order by m.message_id desc limit @history_limit) q order by q.message_id))::text[] as earlier_questions,
  (array(select coalesce((
      select case a.kind when 'answer' then left(a.content, @answer_length) else '' end from messages a
      where a.company_id = @company_id and a.project_id = @project_id and a.conversation_id = f.conversation_id
        and a.message_id > q.message_id and a.role = 'assistant'
      order by a.message_id limit 1), '') from (
    select m.message_id from messages m
    where m.company_id = @company_id and m.project_id = @project_id and m.conversation_id = f.conversation_id and m.role = 'user'
    order by m.message_id desc limit @answer_limit) q order by q.message_id))::text[] as earlier_answers,
  (array(select distinct g.id::bigint from (
    select m.sources from messages m
    where m.company_id = @company_id and m.project_id = @project_id and m.conversation_id = f.conversation_id and m.role = 'assistant'
    order by m.message_id desc limit @answer_limit) a
    cross join lateral jsonb_path_query(a.sources, '$[*].chunkIds[*]') g (id)))::bigint[] as earlier_cited_chunks
from companies c
cross join lateral (
  select t.opened_at, date_trunc('month', t.opened_at at time zone 'UTC')::date as month
  from (select coalesce(sqlc.narg(now)::timestamptz, now()) as opened_at) t
) w
cross join lateral (
  select array_agg(u.shard order by u.shard) as shards, array_agg(u.messages order by u.shard) as messages
  from usage_shards u where u.company_id = @company_id and u.month = w.month
) z
left join lateral (
  select v.conversation_id, v.session_id, v.visitor_id from conversations v
  where (v.company_id = @company_id) is true and (v.project_id = @project_id) is true and v.conversation_id = @conversation_id::text
    and (@session_id::text = '' or v.session_id = @session_id::text)
    and (not @same_visitor::boolean or v.visitor_id = @visitor_id::text)
  union all
  select v.conversation_id, v.session_id, v.visitor_id from conversations v
  where (v.company_id = @company_id) is true and (v.project_id = @project_id) is true and v.session_id = @session_id::text
    and @conversation_id::text = ''
    and (not @same_visitor::boolean or v.visitor_id = @visitor_id::text)
  order by conversation_id limit 1
) f on true
where c.company_id = @company_id;

-- name: ExchangeStore :one
-- Stores a question with its answer and counts it, in one statement, so in one transaction and one round trip: one shard of the month's
-- usage, the conversation (new or continued), and both messages. stored is false if nothing was stored: the shard has used up its share
-- of the quota, or a document that the answer cites was deleted; there lists the documents that exist. Those are locked, so that they
-- cannot be deleted before the exchange is stored (see DocumentsStay). They are locked before the shard, so that no transaction waits for
-- a deletion while it holds the shard.
with there as materialized (
  select d.document_id from documents d
  where d.company_id = @company_id and d.project_id = @project_id and d.document_id = any(@document_ids::text[]) and d.status <> 'deleting'
  order by d.document_id for key share
), taken as (
  insert into usage_shards as u (company_id, month, shard, messages)
  select @company_id, @month, @shard, 1 where @share::integer > 0 and (select count(*) from there) = cardinality(@document_ids::text[])
  on conflict (company_id, month, shard) do update set messages = u.messages + 1 where u.messages < @share::integer
  returning u.messages
), thread as (
  insert into conversations as c (company_id, project_id, conversation_id, session_id, visitor_id, channel, source, preview,
    message_count, created_at, updated_at)
  select @company_id, @project_id, @conversation_id, @session_id, @visitor_id, @channel, @source, @preview, 2, @asked_at, @answered_at
  from taken
  on conflict on constraint conversations_pkey do update
    set message_count = c.message_count + 2, updated_at = greatest(c.updated_at, excluded.updated_at)
  returning c.conversation_id
), question as (
  insert into messages (company_id, project_id, conversation_id, message_id, role, content, created_at)
  select @company_id, @project_id, thread.conversation_id, @question_id, 'user', @question, @asked_at from thread
), answer as (
  insert into messages (company_id, project_id, conversation_id, message_id, role, content, kind, sources, suggested_follow_ups,
    confidence_level, confidence_score, model, prompt_tokens, completion_tokens, created_at)
  select @company_id, @project_id, thread.conversation_id, @answer_id, 'assistant', @answer, @kind, @sources, @suggested_follow_ups,
    @confidence_level, @confidence_score, @model, @prompt_tokens, @completion_tokens, @answered_at from thread
), named as (
  insert into message_documents (company_id, project_id, document_id, conversation_id, message_id)
  select @company_id, @project_id, there.document_id, thread.conversation_id, @answer_id from thread cross join there
)
select exists (select from taken)::boolean as stored, array(select there.document_id from there)::text[] as there;
