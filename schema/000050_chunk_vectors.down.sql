drop table chunk_vectors;
