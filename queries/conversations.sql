-- name: ConversationListWorkspace :many
-- Newest change first; the cursor is (updated_at, conversation_id) of the last row. Each list has its own query without optional
-- conditions or joins: its index gives the order, so that only the rows of the page are read.
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
-- The project is optional, since the id is unique in the installation. "is true" stops the planner from using the indexes that begin
-- with the company.
select * from conversations
where (company_id = @company_id) is true and conversation_id = @conversation_id
  and (sqlc.narg(project_id)::text is null or project_id = sqlc.narg(project_id)::text);
