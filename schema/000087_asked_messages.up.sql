-- The questions of a month are counted by their time, without their conversations.
create index concurrently messages_asked_idx on messages (company_id, project_id, created_at) where role = 'user';
