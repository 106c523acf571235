-- name: MessageListPage :many
-- The newest page first, read backwards, the caller turns the page round. Ids sort by time.
select * from messages
where company_id = @company_id and project_id = @project_id and conversation_id = @conversation_id
  and message_id < @before_message_id
order by message_id desc limit @row_limit;

-- name: MessageRate :one
-- No row: there is no such answer, or it is another visitor's. A conversation without a visitor is anybody's who knows its id.
-- The same rating again keeps its time.
update messages m
set rating = @rating::text, rated_at = case when m.rating = @rating::text then m.rated_at else @now::timestamptz end
from conversations c
where m.company_id = @company_id and m.project_id = @project_id and m.conversation_id = @conversation_id and m.message_id = @message_id
  and m.role = 'assistant'
  and c.company_id = m.company_id and c.project_id = m.project_id and c.conversation_id = m.conversation_id
  and c.visitor_id in ('', @visitor_id::text)
returning m.rated_at;
