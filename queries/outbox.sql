-- name: EventCreate :exec
insert into activity_events (company_id, event_id, type, actor_type, actor_id, actor_name, project_id, resource_type, resource_id,
  resource_name, summary, metadata, created_at)
values (@company_id, @event_id, @type, @actor_type, sqlc.narg(actor_id), @actor_name, sqlc.narg(project_id), @resource_type,
  @resource_id, @resource_name, @summary, @metadata, @now);
