-- name: RateLimitTake :one
-- Takes one request from a bucket. It is exact for any number of processes: if now is null, all use the database's clock.
-- @sqlc-vet-disable tenant-scoped
select (t.allowed)::boolean as allowed, (t.remaining)::integer as remaining, (t.reset_after)::float8 as reset_after,
  (t.retry_after)::float8 as retry_after
from rate_limit_take(@bucket::text, make_interval(secs => @period_seconds::float8), @burst::integer, coalesce(sqlc.narg(now)::timestamptz, clock_timestamp())) t;

-- name: RateLimitSweep :execrows
-- Deletes the rows of full buckets: a bucket without a row is full.
-- @sqlc-vet-disable tenant-scoped
delete from rate_limits where arrival < coalesce(sqlc.narg(now)::timestamptz, now());
