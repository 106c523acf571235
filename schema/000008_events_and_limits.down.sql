drop function rate_limit_take(text, interval, integer, timestamptz);
drop table rate_limits, idempotency_keys, activity_events;
