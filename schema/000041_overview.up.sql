-- What a project's overview counts is rare among its messages and conversations, so these indexes stay small.
create index messages_rated_idx on messages (company_id, project_id, rated_at) where rating is not null;
create index messages_weak_idx on messages (company_id, project_id, created_at) where kind in ('no_answer', 'lead_capture_prompt');
create index conversations_unresolved_idx on conversations (company_id, project_id) where review_status = 'unresolved';
create index activity_events_project_idx on activity_events (company_id, project_id, event_id desc);
