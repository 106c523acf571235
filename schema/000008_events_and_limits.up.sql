-- What has happened in a company, written by the transaction that caused it (internal/outbox). Ids sort by time.
create table activity_events (
  company_id text not null references companies on delete cascade,
  event_id text not null,
  type text not null,
  actor_type text not null check (actor_type in ('user', 'key', 'system', 'visitor')),
  actor_id text,
  actor_name text not null default '',
  project_id text,
  resource_type text not null,
  resource_id text not null,
  resource_name text not null default '',
  summary text not null,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (company_id, event_id)
);
create index activity_events_project_idx on activity_events (company_id, project_id, event_id desc);
-- For the job that redacts a deleted document.
create index activity_events_document_idx on activity_events (company_id, resource_id) where resource_type = 'document';
select add_tenant_policy('activity_events');

-- The answers to requests with an idempotency key. key is a keyed hash of the caller's key; body is encrypted (internal/idempotency).
create table idempotency_keys (
  company_id text not null references companies on delete cascade,
  scope text not null,
  key text not null,
  request_hash bytea not null,
  status integer,
  body bytea,
  created_at timestamptz not null default now(),
  primary key (company_id, scope, key)
);
select add_tenant_policy('idempotency_keys');

-- Unlogged: after a crash of the database every bucket starts full.
create unlogged table rate_limits (
  bucket text primary key,
  arrival timestamptz not null
) with (fillfactor = 50);

-- GCRA: arrival is the theoretical arrival time of the next request. A bucket is one row, which one statement reads and updates, so
-- that the count is exact for any number of processes. The bucket allows one request each period, and burst requests at once.
-- Returns how many requests are left, when the bucket is full again, and, if the request is refused, how long to wait.
create function rate_limit_take(p_bucket text, p_period interval, p_burst integer, p_now timestamptz)
returns table (allowed boolean, remaining integer, reset_after double precision, retry_after double precision)
language plpgsql as $$
declare
  tolerance interval := p_period * p_burst;
  before timestamptz;
  after_take timestamptz;
begin
  insert into rate_limits as r (bucket, arrival) values (p_bucket, p_now + p_period)
  on conflict (bucket) do update
    set arrival = greatest(r.arrival, p_now) + p_period
    where greatest(r.arrival, p_now) + p_period - p_now <= tolerance
  returning r.arrival into after_take;
  if found then
    return query select true,
      floor(extract(epoch from (p_now + tolerance - after_take)) / extract(epoch from p_period))::integer,
      extract(epoch from (after_take - p_now))::double precision, 0::double precision;
    return;
  end if;
  select r.arrival into before from rate_limits r where r.bucket = p_bucket;
  return query select false, 0,
    greatest(extract(epoch from (before - p_now)), 0)::double precision,
    greatest(extract(epoch from (before + p_period - tolerance - p_now)), 0)::double precision;
end $$;
