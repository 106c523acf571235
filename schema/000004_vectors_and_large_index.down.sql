drop trigger chunks_deleted on chunks;
drop function note_deleted_chunks();
drop table deleted_postings, posting_segments, chunk_postings, chunk_sentences, chunk_vectors, vector_models;
