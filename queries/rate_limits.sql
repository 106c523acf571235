-- name: RateLimitTake :one
-- One exact take from a bucket, over any number of processes.
-- @sqlc-vet-disable tenant-scoped
select (t.allowed)::boolean as allowed, (t.remaining)::integer as remaining, (t.reset_after)::float8 as reset_after,
  (t.retry_after)::float8 as retry_after
from rate_limit_take(@bucket::text, make_interval(secs => @period_seconds::float8), @burst::integer, @now::timestamptz) t;

-- name: RateLimitSweep :execrows
-- Buckets that are full again need no row.
-- @sqlc-vet-disable tenant-scoped
delete from rate_limits where arrival < @now::timestamptz;
