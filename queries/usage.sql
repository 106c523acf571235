-- name: UsageShards :many
select shard, messages from usage_shards where company_id = @company_id and month = @month order by shard;

-- name: UsageShardsMake :exec
-- Makes the shards that are not there yet, so that UsageShardsLevel can lock them all.
insert into usage_shards (company_id, month, shard, messages)
select @company_id, @month, s.shard, 0 from generate_series(0, 15) s (shard)
on conflict (company_id, month, shard) do nothing;

-- name: UsageShardsLevel :exec
-- Spreads what all shards have counted evenly, the first ones hold what is over.
with locked as materialized (
  select u.shard, u.messages from usage_shards u where u.company_id = @company_id and u.month = @month order by u.shard for update
), counted as (
  select sum(l.messages)::integer as messages from locked l
)
update usage_shards u set messages = c.messages / 16 + (u.shard < c.messages % 16)::integer
from counted c where u.company_id = @company_id and u.month = @month;
