-- name: StreamLeaseTake :one
-- Opens a stream, unless max_streams are open in the project, counted over all processes. No row: there is no such project.
select stream_lease_take(p.company_id, p.project_id, @stream_id::text, @closed::text[], @max_streams::integer,
  make_interval(secs => @lease_seconds::float8))::boolean as taken
from projects p where p.company_id = @company_id and p.project_id = @project_id;

-- name: StreamLeasesRenew :exec
-- Renews the leases of open streams of several companies. Inserts a row that is gone: a crash of the database empties the table.
insert into stream_leases as s (company_id, project_id, stream_id, expires_at)
select p.company_id, p.project_id, r.stream_id, now() + make_interval(secs => @lease_seconds::float8)
from (select unnest(@company_ids::text[]) as company_id, unnest(@project_ids::text[]) as project_id, unnest(@stream_ids::text[]) as stream_id) r
join projects p on p.company_id = r.company_id and p.project_id = r.project_id
on conflict (company_id, project_id, stream_id) do update set expires_at = excluded.expires_at;

-- name: StreamLeasesDelete :exec
-- Deletes the leases of closed streams of several companies.
delete from stream_leases s
using (select unnest(@company_ids::text[]) as company_id, unnest(@project_ids::text[]) as project_id, unnest(@stream_ids::text[]) as stream_id) r
where s.company_id = any(@company_ids::text[]) and s.company_id = r.company_id and s.project_id = r.project_id and s.stream_id = r.stream_id;

-- name: StreamLeasesSweep :execrows
-- Deletes leases that were not renewed: their processes are gone.
-- @sqlc-vet-disable tenant-scoped
delete from stream_leases where expires_at < now();
