-- name: MessageListPage :many
-- A page of a conversation, newest message first; the caller reverses it. Ids sort by time.
select * from messages
where company_id = @company_id and project_id = @project_id and conversation_id = @conversation_id
  and message_id < @before_message_id
order by message_id desc limit @row_limit;

-- name: MessageRate :one
-- No row: there is no such answer, or it is another visitor's. Anybody who knows the id may rate in a conversation without a visitor.
-- The same rating again does not change its time.
update messages m
set rating = @rating::text, rated_at = case when m.rating = @rating::text then m.rated_at else @now::timestamptz end
from conversations c
where m.company_id = @company_id and m.project_id = @project_id and m.conversation_id = @conversation_id and m.message_id = @message_id
  and m.role = 'assistant'
  and c.company_id = m.company_id and c.project_id = m.project_id and c.conversation_id = m.conversation_id
  and c.visitor_id in ('', @visitor_id::text)
returning m.rated_at;
