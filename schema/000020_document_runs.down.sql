alter table project_lexstats drop column total_chunks, drop column stale;
alter table documents drop column ingest_run;
