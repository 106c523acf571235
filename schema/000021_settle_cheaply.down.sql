alter table project_lexstats drop column live_chunks;
drop index documents_processing_idx;
