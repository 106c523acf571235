drop index activity_events_project_idx;
drop index conversations_unresolved_idx;
drop index messages_weak_idx;
drop index messages_rated_idx;
