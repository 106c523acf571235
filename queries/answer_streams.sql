-- name: AnswerStreamKeep :many
-- Appends the new text of many streams and returns how many bytes of each are stored. body is the new part; it ends at byte body_bytes
-- of the whole text. A write may be repeated if its answer was lost; the bytes that the row has already are then cut off the part. A
-- stream is missing in the result if its project was deleted, or if its row is gone (a crash of the database empties the table) and
-- the part is not the first one.
insert into answer_streams as s (company_id, project_id, message_id, conversation_id, session_id, visitor_id, body, body_bytes,
  error_code, error_message, began_at)
select b.company_id, b.project_id, b.message_id, b.conversation_id, b.session_id, b.visitor_id, b.body, b.body_bytes,
  b.error_code, b.error_message, b.began_at
from jsonb_populate_recordset(null::answer_streams, @streams::jsonb) b
cross join lateral (select from projects p where p.company_id = b.company_id and p.project_id = b.project_id limit 1) p
where b.body_bytes = octet_length(b.body) or exists (
  select from answer_streams o where o.company_id = b.company_id and o.project_id = b.project_id and o.message_id = b.message_id)
on conflict on constraint answer_streams_pkey do update
  set body = s.body || convert_from(substring(convert_to(excluded.body, 'UTF8')
      from 1 + s.body_bytes - (excluded.body_bytes - octet_length(excluded.body))), 'UTF8'),
    body_bytes = greatest(s.body_bytes, excluded.body_bytes),
    error_code = case when s.error_code = '' then excluded.error_code else s.error_code end,
    error_message = case when s.error_code = '' then excluded.error_message else s.error_message end,
    updated_at = now()
  where excluded.body_bytes - octet_length(excluded.body) <= s.body_bytes
returning s.message_id, s.body_bytes;

-- name: AnswerStreamGet :one
-- A stream that began at began_after or later: its text from the code point @first on (the first is 1), and its message if that is
-- stored already. No row: the stream is unknown, another company's or too old. A large silent_seconds means that its process is gone.
select s.conversation_id, s.session_id, s.visitor_id, substr(s.body, @first::integer)::text as rest, s.error_code, s.error_message,
  extract(epoch from now() - s.updated_at)::float8 as silent_seconds,
  m.content, m.kind, m.sources, m.suggested_follow_ups, m.confidence_level, m.confidence_score, m.prompt_tokens, m.completion_tokens
from answer_streams s
left join messages m on m.company_id = s.company_id and m.project_id = s.project_id and m.conversation_id = s.conversation_id
  and m.message_id = s.message_id
where s.company_id = @company_id and s.project_id = @project_id and s.message_id = @message_id
  and s.began_at >= @began_after::timestamptz;

-- name: AnswerStreamSweep :execrows
-- Deletes the streams, of all companies, that are too old to be resumed.
-- @sqlc-vet-disable tenant-scoped
delete from answer_streams where began_at < @began_before::timestamptz;
