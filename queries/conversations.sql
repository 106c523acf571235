-- name: ConversationCreate :one
insert into conversations (company_id, project_id, conversation_id, session_id, visitor_id, channel, source, preview, message_count,
  created_at, updated_at)
values (@company_id, @project_id, @conversation_id, @session_id, @visitor_id, @channel, @source, @preview, @message_count, @now, @now)
returning *;

-- name: ConversationListWorkspace :many
-- Newest change first, the cursor is the last row's (updated_at, conversation_id).
select sqlc.embed(c), p.name as project_name
from conversations c join projects p on p.company_id = c.company_id and p.project_id = c.project_id
where c.company_id = @company_id
  and (sqlc.narg(project_id)::text is null or c.project_id = sqlc.narg(project_id)::text)
  and (sqlc.narg(before_updated_at)::timestamptz is null
    or (c.updated_at, c.conversation_id) < (sqlc.narg(before_updated_at)::timestamptz, sqlc.narg(before_conversation_id)::text))
order by c.updated_at desc, c.conversation_id desc limit @row_limit;

-- name: ConversationListProject :many
select * from conversations
where company_id = @company_id and project_id = @project_id
  and (sqlc.narg(visitor_id)::text is null or visitor_id = sqlc.narg(visitor_id)::text)
  and (sqlc.narg(before_updated_at)::timestamptz is null
    or (updated_at, conversation_id) < (sqlc.narg(before_updated_at)::timestamptz, sqlc.narg(before_conversation_id)::text))
order by updated_at desc, conversation_id desc limit @row_limit;

-- name: ConversationGet :one
-- The project is optional: the id is unique over the installation.
select * from conversations
where company_id = @company_id and conversation_id = @conversation_id
  and (sqlc.narg(project_id)::text is null or project_id = sqlc.narg(project_id)::text);
