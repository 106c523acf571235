-- name: ProjectOverview :one
-- All counts of a project's overview in one round trip. The epoch means never. Each count reads one table by an index and joins
-- nothing. If now is null, the database's clock decides the month and the days.
select d.total, d.indexed, d.processing, d.failed, d.added, d.bytes, d.first_added_at, d.first_indexed_at,
  (select count(*) from messages m where m.company_id = @company_id and m.project_id = @project_id
    and m.role = 'user' and m.created_at >= w.month_start)::integer as messages_this_month,
  (select count(*) from conversations c where c.company_id = @company_id and c.project_id = @project_id
    and c.updated_at >= w.since and c.created_at >= w.since)::integer as conversations,
  (select count(*) from messages m where m.company_id = @company_id and m.project_id = @project_id
    and m.rating is not null and m.rating = 'up' and m.rated_at >= w.since)::integer as thumbs_up,
  (select count(*) from messages m where m.company_id = @company_id and m.project_id = @project_id
    and m.rating is not null and m.rating = 'down' and m.rated_at >= w.since)::integer as thumbs_down,
  (select count(*) from messages m where m.company_id = @company_id and m.project_id = @project_id
    and m.kind in ('no_answer', 'lead_capture_prompt') and m.created_at >= w.since)::integer as weak_answers,
  (select count(*) from conversations c where c.company_id = @company_id and c.project_id = @project_id
    and c.review_status = 'unresolved')::integer as unresolved,
  coalesce((select min(r.completed_at) from test_runs r where r.company_id = @company_id and r.project_id = @project_id
    and r.status = 'completed'), to_timestamp(0))::timestamptz as first_tested_at,
  (exists (select from api_keys k where k.company_id = @company_id and k.project_id = @project_id
    and k.kind = 'embed' and k.last_used_at is not null))::boolean as embed_key_used
from (
  select count(*)::integer as total,
    (count(*) filter (where status = 'indexed'))::integer as indexed,
    (count(*) filter (where status = 'processing'))::integer as processing,
    (count(*) filter (where status = 'failed'))::integer as failed,
    (count(*) filter (where status not in ('pending', 'deleting')))::integer as added,
    coalesce(sum(size_bytes), 0)::bigint as bytes,
    coalesce(min(created_at) filter (where status not in ('pending', 'deleting')), to_timestamp(0))::timestamptz as first_added_at,
    coalesce(min(indexed_at), to_timestamp(0))::timestamptz as first_indexed_at
  from documents where company_id = @company_id and project_id = @project_id
) d
cross join lateral (
  select date_trunc('month', t.at, 'UTC') as month_start, t.at - make_interval(days => @days::integer) as since
  from (select coalesce(sqlc.narg(now)::timestamptz, now()) as at) t
) w;

-- name: ProjectTestStates :one
-- How many saved prompt tests have run, and how many of them did not pass.
select count(*)::integer as ran, (count(*) filter (where last_result <> 'pass'))::integer as failing
from test_prompts
where company_id = @company_id and project_id = @project_id and last_result is not null and source = 'saved';

-- name: ActivityListProject :many
-- Newest first: ids sort by time.
select * from activity_events where company_id = @company_id and project_id = @project_id::text
order by event_id desc limit @row_limit;
