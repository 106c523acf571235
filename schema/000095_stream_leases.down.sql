drop function stream_lease_take;
drop table stream_leases;
