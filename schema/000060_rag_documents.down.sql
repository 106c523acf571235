drop trigger documents_run_ended on documents;
drop function document_run_ended();
drop table rag_jobs;
drop index documents_external_idx;
drop index documents_external_id_key;
alter table documents
  drop column metadata,
  drop column external_id,
  drop column chunk_size,
  drop column chunk_overlap,
  drop column replacement,
  drop column run_job_id;
