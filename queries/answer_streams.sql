-- name: AnswerStreamKeep :exec
-- Adds what many streams have said since the last time. A write whose place is not where the row ends was made before.
insert into answer_streams as s (company_id, project_id, message_id, conversation_id, session_id, visitor_id, body, body_bytes,
  error_code, error_message, began_at)
select b.company_id, b.project_id, b.message_id, b.conversation_id, b.session_id, b.visitor_id, b.body, b.body_bytes,
  b.error_code, b.error_message, b.began_at
from jsonb_populate_recordset(null::answer_streams, @streams::jsonb) b
cross join lateral (select from projects p where p.company_id = b.company_id and p.project_id = b.project_id limit 1) p
on conflict on constraint answer_streams_pkey do update
  set body = s.body || excluded.body, body_bytes = excluded.body_bytes, error_code = excluded.error_code,
    error_message = excluded.error_message, updated_at = now()
  where s.body_bytes + octet_length(excluded.body) = excluded.body_bytes;

-- name: AnswerStreamGet :one
-- A stream that began after began_after: its text from a code point on (from 1), and its message once that is stored. No row:
-- unknown, another company's or too old. Silent for long: its process must be gone.
select s.conversation_id, s.session_id, s.visitor_id, substr(s.body, @first::integer)::text as rest, s.error_code, s.error_message,
  extract(epoch from now() - s.updated_at)::float8 as silent_seconds,
  m.content, m.kind, m.sources, m.suggested_follow_ups, m.confidence_level, m.confidence_score, m.prompt_tokens, m.completion_tokens
from answer_streams s
left join messages m on m.company_id = s.company_id and m.project_id = s.project_id and m.conversation_id = s.conversation_id
  and m.message_id = s.message_id
where s.company_id = @company_id and s.project_id = @project_id and s.message_id = @message_id
  and s.began_at >= @began_after::timestamptz;

-- name: AnswerStreamSweep :execrows
-- Streams of every company that can no longer be resumed.
-- @sqlc-vet-disable tenant-scoped
delete from answer_streams where began_at < @began_before::timestamptz;
