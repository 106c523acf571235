-- What ends an ingestion asks whether another one of the project runs, and how far the project has grown: both
-- without looking at every document of it.
create index documents_processing_idx on documents (company_id, project_id) where status = 'processing';
-- live_chunks: how many chunks the project has now.
alter table project_lexstats add column live_chunks integer not null default 0;
