create index chunks_document_idx on chunks (document_id, ordinal);
drop index chunks_of_document_idx;
create index chunk_vectors_chunk_idx on chunk_vectors (chunk_id);
drop index chunk_vectors_of_chunk_idx;
