-- left_out: how much text the current version's file has, and how much of it is not indexed, by reasons; null before ingestion, and
-- for versions that were indexed without counting.
alter table documents add column left_out jsonb;
