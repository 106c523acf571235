drop trigger documents_run_ended on documents;
drop function document_run_ended();
drop table rag_jobs;
