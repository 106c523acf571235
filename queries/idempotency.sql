-- name: IdempotencyClaim :execrows
-- 1: this request is the first with its key since @before. 0: there was another one. If that one is still running, the statement waits
-- until it ends.
insert into idempotency_keys as k (company_id, scope, key, request_hash, created_at)
values (@company_id, @scope, @key, @request_hash, @now)
on conflict (company_id, scope, key) do update set request_hash = excluded.request_hash, status = null, body = null, created_at = excluded.created_at
  where k.created_at < @before::timestamptz;

-- name: IdempotencyGet :one
-- No row: no request with the key was answered since @before.
select * from idempotency_keys
where company_id = @company_id and scope = @scope and key = @key and status is not null and created_at >= @before::timestamptz;

-- name: IdempotencyFinish :exec
update idempotency_keys set status = @status::integer, body = @body::bytea
where company_id = @company_id and scope = @scope and key = @key;

-- name: IdempotencySweep :execrows
-- @sqlc-vet-disable tenant-scoped
delete from idempotency_keys where created_at < @before::timestamptz;
