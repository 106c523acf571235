-- name: ProjectCreate :one
insert into projects (company_id, project_id, name, description, slug, allowed_origins, settings, chat_model_arn,
  lead_capture_enabled, lead_alert_webhook_url, created_by, created_at, updated_at)
values (@company_id, @project_id, @name, @description, @slug, @allowed_origins, @settings, @chat_model_arn,
  @lead_capture_enabled, sqlc.narg(lead_alert_webhook_url), @created_by, @now, @now)
returning *;

-- name: ProjectGet :one
-- No row: the project is unknown or another company's. Callers must answer both in the same way.
select * from projects where company_id = @company_id and project_id = @project_id;

-- name: ProjectGetForUpdate :one
-- Reads and locks the project. Changes of settings, deploys and syncs take this lock, so that they run one after the other. It does not
-- stop inserts of rows that refer to the project, such as conversations.
select * from projects where company_id = @company_id and project_id = @project_id for no key update;

-- name: ProjectLock :one
-- Locks the project, so that starting ingestions and settling run one after the other. It does not stop inserts of rows that refer to
-- the project.
select status from projects where company_id = @company_id and project_id = @project_id for no key update;

-- name: ProjectList :many
-- archived false: all projects that are not archived; true: only archived ones.
select * from projects
where company_id = @company_id and (status = 'archived') = @archived::boolean
order by created_at desc, project_id desc;

-- name: ProjectCount :one
-- The number of projects that count against the plan limit: all that are not archived.
select count(*)::integer from projects where company_id = @company_id and status <> 'archived';

-- name: ProjectPlace :one
-- The company's plan, and how many of its projects that are not archived are older than this one.
select c.plan, (
  select count(*) from projects o
  where o.company_id = @company_id and o.status <> 'archived' and (o.created_at, o.project_id) < (p.created_at, p.project_id)
)::integer as older
from projects p join companies c on c.company_id = p.company_id
where p.company_id = @company_id and p.project_id = @project_id;

-- name: ProjectSlugs :many
-- The company's slugs, also of archived projects, that equal slug or begin with slug and a hyphen.
select slug from projects
where company_id = @company_id and (slug = @slug::text or starts_with(slug, @slug::text || '-'))
order by slug;

-- name: ProjectDocumentStates :one
-- The numbers of documents by state that a deploy checks.
select count(*)::integer as total,
  (count(*) filter (where status = 'indexed'))::integer as indexed,
  (count(*) filter (where status = 'failed'))::integer as failed,
  (count(*) filter (where status = 'processing'))::integer as processing
from documents where company_id = @company_id and project_id = @project_id;

-- name: ProjectNames :many
-- The names of the projects that a list has found.
select project_id, name from projects where company_id = @company_id and project_id = any(@project_ids::text[])
order by project_id;

-- name: ProjectDocumentCounts :many
-- The document counts of the projects that a list has found, in one round trip.
select project_id, count(*)::integer as documents, (count(*) filter (where status = 'indexed'))::integer as indexed
from documents where company_id = @company_id and project_id = any(@project_ids::text[])
group by project_id order by project_id;

-- name: ProjectUpdate :one
-- A parameter that is null keeps the column. For columns that may become null, *_do_update says whether to change them. share_epoch
-- grows with every change of how the project is shared.
update projects set
  share_epoch = share_epoch + (share_enabled is distinct from coalesce(sqlc.narg(share_enabled), share_enabled)
    or share_slug is distinct from coalesce(sqlc.narg(share_slug), share_slug)
    or access_mode is distinct from coalesce(sqlc.narg(access_mode), access_mode))::integer,
  name = coalesce(sqlc.narg(name), name),
  description = coalesce(sqlc.narg(description), description),
  allowed_origins = coalesce(sqlc.narg(allowed_origins)::text[], allowed_origins),
  settings = coalesce(sqlc.narg(settings)::jsonb, settings),
  chat_model_arn = coalesce(sqlc.narg(chat_model_arn), chat_model_arn),
  hide_service_branding = coalesce(sqlc.narg(hide_service_branding), hide_service_branding),
  share_enabled = coalesce(sqlc.narg(share_enabled), share_enabled),
  share_slug = coalesce(sqlc.narg(share_slug), share_slug),
  access_mode = coalesce(sqlc.narg(access_mode), access_mode),
  escalation_webhook_url = case when @escalation_webhook_url_do_update::boolean then sqlc.narg(escalation_webhook_url) else escalation_webhook_url end,
  escalation_webhook_secret = case when @escalation_webhook_secret_do_update::boolean then sqlc.narg(escalation_webhook_secret) else escalation_webhook_secret end,
  escalation_email = case when @escalation_email_do_update::boolean then sqlc.narg(escalation_email) else escalation_email end,
  lead_capture_enabled = coalesce(sqlc.narg(lead_capture_enabled), lead_capture_enabled),
  lead_form_fields = coalesce(sqlc.narg(lead_form_fields)::jsonb, lead_form_fields),
  lead_alert_webhook_url = case when @lead_alert_webhook_url_do_update::boolean then sqlc.narg(lead_alert_webhook_url) else lead_alert_webhook_url end,
  lead_alert_webhook_secret = case when @lead_alert_webhook_secret_do_update::boolean then sqlc.narg(lead_alert_webhook_secret) else lead_alert_webhook_secret end,
  feedback_enabled = coalesce(sqlc.narg(feedback_enabled), feedback_enabled),
  updated_at = @now
where company_id = @company_id and project_id = @project_id and status <> 'archived'
returning *;

-- name: ProjectArchive :one
-- No row: the project is unknown, another company's or already archived.
update projects set status = 'archived', archived_at = @now::timestamptz, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and status <> 'archived'
returning *;

-- name: ProjectDeployed :one
update projects set status = @status, last_deployed_at = @now::timestamptz, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and status <> 'archived'
returning *;

-- name: ProjectGoLive :execrows
-- The first ingestion has ended. No other statement changes the status indexing to live.
update projects set status = 'live', updated_at = @now
where company_id = @company_id and project_id = @project_id and status = 'indexing';

-- name: ProjectGetByShareSlug :one
-- Finds a shared project when the company is not known yet. The slug is unique in the installation.
-- @sqlc-vet-disable tenant-scoped
select sqlc.embed(p), c.plan, c.status as company_status from projects p join companies c on c.company_id = p.company_id
where p.share_slug = @share_slug and p.share_enabled and p.status = 'live';

-- name: ProjectByID :one
-- For credentials that name a project but no company (share tokens, widget). Plan and status of the company come with it.
-- @sqlc-vet-disable tenant-scoped
select sqlc.embed(p), c.plan, c.status as company_status from projects p join companies c on c.company_id = p.company_id
where p.project_id = @project_id;
