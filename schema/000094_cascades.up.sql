-- Deleting a document or a chunk deletes what hangs on it by its foreign key, whose condition names all columns of the key. Where
-- the planner knows nothing of the rows it takes the index that holds most of these columns: so these begin with the id, which
-- finds the rows, and hold the others. By the primary keys every chunk of the project was read for each document, and every
-- vector for each chunk.
create index chunks_of_document_idx on chunks (document_id, company_id, project_id, ordinal);
drop index chunks_document_idx;
create index chunk_vectors_of_chunk_idx on chunk_vectors (chunk_id, company_id, project_id);
drop index chunk_vectors_chunk_idx;
