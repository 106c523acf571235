-- name: IdempotencyClaim :execrows
-- 1: this request is the first with its key. 0: another one is or was there.
insert into idempotency_keys (company_id, scope, key, request_hash, created_at)
values (@company_id, @scope, @key, @request_hash, @now)
on conflict (company_id, scope, key) do nothing;

-- name: IdempotencyGet :one
select * from idempotency_keys where company_id = @company_id and scope = @scope and key = @key;

-- name: IdempotencyFinish :exec
update idempotency_keys set status = @status::integer, body = @body::bytea
where company_id = @company_id and scope = @scope and key = @key;

-- name: IdempotencyRelease :exec
-- The request failed: its key may be used again.
delete from idempotency_keys where company_id = @company_id and scope = @scope and key = @key and status is null;

-- name: IdempotencySweep :execrows
-- @sqlc-vet-disable tenant-scoped
delete from idempotency_keys where created_at < @before::timestamptz;
