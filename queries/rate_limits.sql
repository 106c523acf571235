-- name: RateLimitTake :one
-- One exact take from a bucket, over any number of processes: by the database's clock (now null), which they share.
-- @sqlc-vet-disable tenant-scoped
select (t.allowed)::boolean as allowed, (t.remaining)::integer as remaining, (t.reset_after)::float8 as reset_after,
  (t.retry_after)::float8 as retry_after
from rate_limit_take(@bucket::text, make_interval(secs => @period_seconds::float8), @burst::integer, coalesce(sqlc.narg(now)::timestamptz, clock_timestamp())) t;

-- name: RateLimitSweep :execrows
-- Buckets that are full again need no row.
-- @sqlc-vet-disable tenant-scoped
delete from rate_limits where arrival < coalesce(sqlc.narg(now)::timestamptz, now());
