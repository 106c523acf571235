-- Every start of an ingestion is a run of its own: what an earlier run, timed out or
-- overtaken, still writes has no effect.
alter table documents add column ingest_run integer not null default 0;

-- total_chunks: how many there were at the last rebuild (chunk_count: how many of them were counted).
-- stale: chunks came or went since.
alter table project_lexstats
  add column total_chunks integer not null default 0,
  add column stale boolean not null default true;
