-- name: ProjectsToPromote :many
-- Projects that are promoted or have grown to it, of all companies.
-- @sqlc-vet-disable tenant-scoped
select company_id, project_id from project_lexstats
where promoted or live_chunks >= @least::integer
order by company_id, project_id;

-- name: PromotionState :one
select promoted, live_chunks, vector_model, vectors_partial, postings_until, postings_next, postings_xid from project_lexstats
where company_id = @company_id and project_id = @project_id;

-- name: ChunkIDsLast :one
-- The last id that was reserved for a chunk.
-- @sqlc-vet-disable tenant-scoped
select coalesce(pg_sequence_last_value(pg_get_serial_sequence('chunks', 'chunk_id')::regclass), 0)::bigint;

-- name: PromotionHorizon :one
-- The first transaction that has not begun, and the first that has not ended.
-- @sqlc-vet-disable tenant-scoped
select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as begun, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as ended;

-- name: PromotionNext :exec
update project_lexstats set postings_next = @next, postings_xid = @xid where company_id = @company_id and project_id = @project_id;

-- name: PromotionSegment :many
-- The terms of the next chunks, up to and including a chunk.
select t.chunk_id, t.terms from chunk_terms t
where t.company_id = @company_id and t.project_id = @project_id and t.chunk_id > @after_chunk_id and t.chunk_id <= @until
order by t.chunk_id limit @row_limit;

-- name: PostingsInsert :batchexec
insert into chunk_postings (company_id, project_id, term, segment, postings)
values (@company_id, @project_id, @term, @segment, @postings);

-- name: PostingsNextSegment :one
select (coalesce(max(segment), -1) + 1)::integer from chunk_postings where company_id = @company_id and project_id = @project_id;

-- name: PostingsUntil :exec
update project_lexstats set postings_until = @until where company_id = @company_id and project_id = @project_id;

-- name: PostingsDelete :exec
delete from chunk_postings where company_id = @company_id and project_id = @project_id;

-- name: PromotionSet :exec
-- Searches use the indexes from then on, or no longer. The stamp grows, so that they notice.
update project_lexstats set promoted = @promoted, postings_until = case when @promoted::boolean then postings_until else 0 end,
  updated_at = greatest(@now::timestamptz, updated_at + make_interval(secs => 0.000001))
where company_id = @company_id and project_id = @project_id;

-- name: PostingsOfTerms :many
select p.term, p.postings from chunk_postings p
where p.company_id = @company_id and p.project_id = @project_id and p.term = any(@terms::integer[])
order by p.term, p.segment;

-- name: ChunkTermsTail :many
-- The best of the chunks that are in no segment yet.
select t.chunk_id, (-(t.terms <#> @query::sparsevec))::float8 as score from chunk_terms t
where t.company_id = @company_id and t.project_id = @project_id and t.chunk_id > @after_chunk_id
order by (t.terms <#> @query::sparsevec) + 0, t.chunk_id limit @row_limit;
