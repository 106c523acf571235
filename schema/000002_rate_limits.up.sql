-- Limits need no durability: after a crash every bucket starts full.
create unlogged table rate_limits (
  bucket text primary key,
  arrival timestamptz not null
) with (fillfactor = 50);

-- GCRA: arrival is the theoretical arrival time of the next request. One row a bucket, taken and judged in one
-- statement, so that the count is exact over any number of processes. period and burst: one request each period
-- of sustained rate, burst of them at once. Answers how many are left, when the bucket is full again, and, where
-- the request is refused, how long to wait.
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
