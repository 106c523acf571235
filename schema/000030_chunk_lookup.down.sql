drop index chunks_document_idx;
create index chunks_document_idx on chunks (company_id, project_id, document_id, ordinal);
