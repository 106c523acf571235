-- name: MessageCreate :one
insert into messages (company_id, project_id, conversation_id, message_id, role, content, kind, sources, suggested_follow_ups,
  confidence_level, confidence_score, model, prompt_tokens, completion_tokens, created_at)
values (@company_id, @project_id, @conversation_id, @message_id, @role, @content, sqlc.narg(kind), @sources, @suggested_follow_ups,
  sqlc.narg(confidence_level), sqlc.narg(confidence_score), sqlc.narg(model), sqlc.narg(prompt_tokens), sqlc.narg(completion_tokens), @now)
returning *;

-- name: MessageListPage :many
-- The newest page first, read backwards, the caller turns the page round. Ids sort by time.
select * from messages
where company_id = @company_id and project_id = @project_id and conversation_id = @conversation_id
  and (sqlc.narg(before_message_id)::text is null or message_id < sqlc.narg(before_message_id)::text)
order by message_id desc limit @row_limit;
