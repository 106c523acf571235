drop table work_shares, project_lexstats, chunk_stage, chunk_terms, chunks, deleted_document_ids, documents;
