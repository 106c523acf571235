drop function rate_limit_take(text, interval, integer, timestamptz);
drop table rate_limits;
