-- name: ChunkDeleteByDocument :execrows
-- "is true" stops the planner from using the indexes that begin with the company: the index of the document is faster.
delete from chunks where (company_id = @company_id) is true and (project_id = @project_id) is true and document_id = @document_id;

-- name: ChunkTermsPage :many
-- A page of the project's term vectors, to count its document frequencies. every = 1 reads all; every = n reads about one in n, evenly.
select t.chunk_id, t.terms from chunk_terms t
where t.company_id = @company_id and t.project_id = @project_id and t.chunk_id > @after_chunk_id
  and (hashint8(t.chunk_id) & 2147483647) % @every::integer = 0
order by t.chunk_id limit @row_limit;

-- name: ChunkCount :one
select count(*)::integer from chunks where company_id = @company_id and project_id = @project_id;

-- name: ChunkCountOfDocument :one
select count(*)::integer from chunks
where (company_id = @company_id) is true and (project_id = @project_id) is true and document_id = @document_id;

-- name: LexstatsChanged :exec
-- Chunks were added or deleted: added is the difference, negative after a deletion. Inserts the row if there is none, so that the
-- first document is found at once.
insert into project_lexstats (company_id, project_id, chunk_count, average_length, terms, counts, live_chunks, stale, updated_at)
values (@company_id, @project_id, 0, 0, '{}', '{}', @added, true, @now)
on conflict (company_id, project_id) do update set stale = true, live_chunks = project_lexstats.live_chunks + excluded.live_chunks;

-- name: LexstatsState :one
-- No row: nothing was ingested yet.
select live_chunks, total_chunks, stale from project_lexstats where company_id = @company_id and project_id = @project_id;

-- name: LexstatsUpsert :exec
-- chunk_count is how many chunks were counted, total_chunks how many there are. updated_at is the version of the statistics, so it
-- always grows.
insert into project_lexstats (company_id, project_id, chunk_count, average_length, terms, counts, total_chunks, stale, updated_at)
values (@company_id, @project_id, @chunk_count, @average_length, @terms, @counts, @total_chunks, false, @now)
on conflict (company_id, project_id) do update set chunk_count = excluded.chunk_count, average_length = excluded.average_length,
  terms = excluded.terms, counts = excluded.counts, total_chunks = excluded.total_chunks, stale = false,
  updated_at = greatest(excluded.updated_at, project_lexstats.updated_at + make_interval(secs => 0.000001));

-- name: LexstatsGet :one
-- No row: nothing was ingested yet.
select * from project_lexstats where company_id = @company_id and project_id = @project_id;
