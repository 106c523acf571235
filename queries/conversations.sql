-- name: ConversationListWorkspace :many
-- Newest change first, the cursor is the last row's (updated_at, conversation_id). Each list has a query of its own without
-- conditions that may be absent, and joins nothing: its index alone gives the order, so that a page costs a page.
select * from conversations
where company_id = @company_id and (updated_at, conversation_id) < (@before_updated_at::timestamptz, @before_conversation_id::text)
order by updated_at desc, conversation_id desc limit @row_limit;

-- name: ConversationListProject :many
select * from conversations
where company_id = @company_id and project_id = @project_id
  and (updated_at, conversation_id) < (@before_updated_at::timestamptz, @before_conversation_id::text)
order by updated_at desc, conversation_id desc limit @row_limit;

-- name: ConversationListVisitor :many
select * from conversations
where company_id = @company_id and project_id = @project_id and visitor_id = @visitor_id
  and (updated_at, conversation_id) < (@before_updated_at::timestamptz, @before_conversation_id::text)
order by updated_at desc, conversation_id desc limit @row_limit;

-- name: ConversationGet :one
-- The project is optional: the id is unique over the installation. "is true" keeps the indexes out that begin with the company.
select * from conversations
where (company_id = @company_id) is true and conversation_id = @conversation_id
  and (sqlc.narg(project_id)::text is null or project_id = sqlc.narg(project_id)::text);
