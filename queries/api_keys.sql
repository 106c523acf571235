-- name: KeyCreate :one
insert into api_keys (company_id, project_id, key_id, kind, environment, label, prefix, last4, secret_hash, in_pair, created_by, created_at)
values (@company_id, @project_id, @key_id, @kind, @environment, @label, @prefix, @last4, @secret_hash, @in_pair, @created_by, @now)
returning *;

-- name: KeyGetBySecretHash :one
-- Finds a key when its company is not known yet. Project and plan come with it, so that a request needs one round trip. No row: there
-- is no such key.
-- @sqlc-vet-disable tenant-scoped
select sqlc.embed(k), sqlc.embed(p), c.plan, c.status as company_status
from api_keys k
join projects p on p.company_id = k.company_id and p.project_id = k.project_id
join companies c on c.company_id = k.company_id
where k.secret_hash = @secret_hash;

-- name: KeyTouch :exec
-- Writes at most once a minute, so that requests with a busy key do not wait for each other's update.
update api_keys set last_used_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and key_id = @key_id
  and (last_used_at is null or last_used_at < @touched_before::timestamptz);

-- name: KeyList :many
-- All keys of the company, newest first. A filter that is null matches everything. A key past its expires_at counts as revoked.
select sqlc.embed(k), p.name as project_name
from api_keys k join projects p on p.company_id = k.company_id and p.project_id = k.project_id
where k.company_id = @company_id
  and (sqlc.narg(project_id)::text is null or k.project_id = sqlc.narg(project_id)::text)
  and (sqlc.narg(environment)::text is null or k.environment = sqlc.narg(environment)::text)
  and (sqlc.narg(status)::text is null or sqlc.narg(status)::text =
    case when k.status = 'active' and k.expires_at <= @now::timestamptz then 'revoked' else k.status end)
order by k.created_at desc, k.key_id desc;

-- name: KeyListByProject :many
select * from api_keys where company_id = @company_id and project_id = @project_id
order by created_at desc, key_id desc;

-- name: KeyGetActivePair :many
-- The usable keys of the pair that the last deploy or rotation issued. A deploy shows them.
select distinct on (kind) * from api_keys
where company_id = @company_id and project_id = @project_id and in_pair and status = 'active' and expires_at is null
order by kind, created_at desc, key_id desc;

-- name: KeyGetForUpdate :one
-- Locks the key, so that two revocations at the same time run one after the other.
select * from api_keys where company_id = @company_id and project_id = @project_id and key_id = @key_id for update;

-- name: KeyRevoke :one
-- A second revocation changes nothing: time and user of the first one stay.
update api_keys set status = 'revoked', revoked_at = coalesce(revoked_at, @now::timestamptz),
  revoked_by = coalesce(revoked_by, @revoked_by::text)
where company_id = @company_id and project_id = @project_id and key_id = @key_id
returning *;

-- name: KeyRevokeAll :execrows
update api_keys set status = 'revoked', revoked_at = @now::timestamptz, revoked_by = @revoked_by::text
where company_id = @company_id and project_id = @project_id and status = 'active';

-- name: KeyExpireAll :execrows
-- For a rotation with a grace period: the old keys work until expires_at.
update api_keys set expires_at = least(expires_at, @expires_at::timestamptz)
where company_id = @company_id and project_id = @project_id and status = 'active' and key_id <> all(@keep::text[]);

-- name: KeyPrefixInUse :one
-- The newest usable integration key; a live key comes before a test key. No row: the project has none.
select prefix from api_keys
where company_id = @company_id and project_id = @project_id and kind = 'integration' and status = 'active'
  and (expires_at is null or expires_at > @now::timestamptz)
order by environment, created_at desc, key_id desc limit 1;
