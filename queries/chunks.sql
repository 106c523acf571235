-- name: ChunkInsert :copyfrom
insert into chunks (company_id, project_id, chunk_id, document_id, ordinal, page, start_offset, end_offset, heading_path, body)
values (@company_id, @project_id, @chunk_id, @document_id, @ordinal, @page, @start_offset, @end_offset, @heading_path, @body);

-- name: ChunkTermsInsert :copyfrom
insert into chunk_terms (company_id, project_id, chunk_id, terms) values (@company_id, @project_id, @chunk_id, @terms);

-- name: ChunkIDsReserve :many
-- Ids for a copy of that many rows, gaps are harmless.
-- @sqlc-vet-disable tenant-scoped
select nextval(pg_get_serial_sequence('chunks', 'chunk_id'))::bigint as chunk_id from generate_series(1, @count::integer);

-- name: ChunkDeleteByDocument :execrows
delete from chunks where company_id = @company_id and project_id = @project_id and document_id = @document_id;

-- name: ChunkTermsSample :many
-- A sample of the project's term vectors for its document frequencies: every row of a small project, an even share of a big one.
select t.terms from chunk_terms t where t.company_id = @company_id and t.project_id = @project_id
order by hashint8(t.chunk_id), t.chunk_id limit @row_limit;

-- name: ChunkCount :one
select count(*)::integer from chunks where company_id = @company_id and project_id = @project_id;

-- name: LexstatsUpsert :exec
insert into project_lexstats (company_id, project_id, chunk_count, average_length, terms, counts, updated_at)
values (@company_id, @project_id, @chunk_count, @average_length, @terms, @counts, @now)
on conflict (company_id, project_id) do update set chunk_count = excluded.chunk_count, average_length = excluded.average_length,
  terms = excluded.terms, counts = excluded.counts, updated_at = excluded.updated_at;

-- name: LexstatsGet :one
-- No row: nothing was ingested yet.
select * from project_lexstats where company_id = @company_id and project_id = @project_id;
