-- name: LargeIndexProjects :many
-- Projects that have postings or have grown to it, of all companies.
-- @sqlc-vet-disable tenant-scoped
select company_id, project_id from project_lexstats
where large_index or postings_tracked or live_chunks >= @least::integer
order by company_id, project_id;

-- name: LargeIndexState :one
select large_index, live_chunks, vector_model, postings_until, postings_next, postings_xid, postings_tracked, postings_epoch, chunks_forgotten
from project_lexstats where company_id = @company_id and project_id = @project_id;

-- name: LargeIndexLock :one
-- Until the transaction ends no other sweep writes postings of the project; false: one does now.
select pg_try_advisory_xact_lock(hashtextextended('postings ' || s.project_id, 0))::boolean from project_lexstats s
where s.company_id = @company_id and s.project_id = @project_id;

-- name: LargeIndexTrack :exec
-- Deleted chunks are noted from then on. What the sweep knows of running transactions is from before: it starts anew.
update project_lexstats set postings_tracked = true, postings_epoch = postings_epoch + 1, postings_until = 0, postings_next = 0, postings_xid = 0
where company_id = @company_id and project_id = @project_id;

-- name: ChunkIDsLast :one
-- The last id that was reserved for a chunk.
-- @sqlc-vet-disable tenant-scoped
select coalesce(pg_sequence_last_value(pg_get_serial_sequence('chunks', 'chunk_id')::regclass), 0)::bigint;

-- name: LargeIndexHorizon :one
-- A transaction that has begun just now, and the first one that has not ended. The snapshot's own end would not do: it lies
-- before those at work that no later one has outlived.
-- @sqlc-vet-disable tenant-scoped
select pg_current_xact_id()::text::bigint as begun, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as ended;

-- name: LargeIndexNext :exec
update project_lexstats set postings_next = @next, postings_xid = @xid
where company_id = @company_id and project_id = @project_id and postings_epoch = @epoch;

-- name: LargeIndexSegment :many
-- The terms of the next chunks, up to and including a chunk.
select t.chunk_id, t.terms from chunk_terms t
where t.company_id = @company_id and t.project_id = @project_id and t.chunk_id > @after_chunk_id and t.chunk_id <= @until
order by t.chunk_id limit @row_limit;

-- name: PostingsInsert :batchexec
insert into chunk_postings (company_id, project_id, term, segment, postings)
values (@company_id, @project_id, @term, @segment, @postings);

-- name: PostingSegmentInsert :one
-- A new segment, and its number.
insert into posting_segments (company_id, project_id, segment, after_chunk_id, until_chunk_id, chunks)
values (@company_id, @project_id, (
  select coalesce(max(s.segment), -1) + 1 from posting_segments s where s.company_id = @company_id and s.project_id = @project_id
), @after_chunk_id, @until_chunk_id, @chunks)
returning segment;

-- name: PostingSegments :many
-- The segments in the order of their chunks, with how many of these were deleted since.
select s.segment, s.after_chunk_id, s.until_chunk_id, s.chunks, (
  select count(*) from deleted_postings d
  where d.company_id = @company_id and d.project_id = @project_id and d.chunk_id > s.after_chunk_id and d.chunk_id <= s.until_chunk_id
)::integer as deleted
from posting_segments s where s.company_id = @company_id and s.project_id = @project_id
order by s.after_chunk_id;

-- name: PostingSegmentsDelete :exec
with gone as (
  delete from posting_segments s
  where s.company_id = @company_id and s.project_id = @project_id and s.segment = any(@segments::integer[])
)
delete from chunk_postings p where p.company_id = @company_id and p.project_id = @project_id and p.segment = any(@segments::integer[]);

-- name: DeletedPostingsForget :exec
-- Before the chunks of a range are read for a segment: those that are noted as deleted are not among them.
with forgotten as (
  delete from deleted_postings d where d.company_id = @company_id and d.project_id = @project_id
    and d.chunk_id > @after_chunk_id and d.chunk_id <= @until
  returning d.chunk_id
)
update project_lexstats s set chunks_forgotten = s.chunks_forgotten + (select count(*) from forgotten)
where s.company_id = @company_id and s.project_id = @project_id and exists (select from forgotten);

-- name: VectorIndexMade :exec
-- So many of the forgotten chunks are in the index of vectors no more.
update project_lexstats set chunks_forgotten = greatest(0, chunks_forgotten - @forgotten::integer)
where company_id = @company_id and project_id = @project_id;

-- name: PostingsUntil :exec
update project_lexstats set postings_until = @until where company_id = @company_id and project_id = @project_id;

-- name: PostingsDelete :exec
with segments as (
  delete from posting_segments s where s.company_id = @company_id and s.project_id = @project_id
), deleted as (
  delete from deleted_postings d where d.company_id = @company_id and d.project_id = @project_id
)
delete from chunk_postings p where p.company_id = @company_id and p.project_id = @project_id;

-- name: LargeIndexSet :exec
-- Searches use the indexes from then on, or no longer. The stamp grows, so that they notice.
update project_lexstats set large_index = @large_index, postings_tracked = @large_index,
  postings_epoch = postings_epoch + case when @large_index::boolean then 0 else 1 end,
  postings_until = case when @large_index::boolean then postings_until else 0 end,
  updated_at = greatest(@now::timestamptz, updated_at + make_interval(secs => 0.000001))
where company_id = @company_id and project_id = @project_id;

-- name: PostingsOfTerms :many
-- The postings of some terms, and in a row of its own, with the term -1, the chunks among them that were deleted: both as of
-- one moment, between which no segment is written anew.
select p.term, p.postings, '{}'::bigint[] as deleted from chunk_postings p
where p.company_id = @company_id and p.project_id = @project_id and p.term = any(@terms::integer[])
union all
select -1, ''::bytea, coalesce(array_agg(d.chunk_id), '{}')::bigint[] from deleted_postings d
where d.company_id = @company_id and d.project_id = @project_id;

-- name: ChunkTermsTail :many
-- The best of the chunks that are in no segment yet.
select t.chunk_id, (-(t.terms <#> @query::sparsevec))::float8 as score from chunk_terms t
where t.company_id = @company_id and t.project_id = @project_id and t.chunk_id > @after_chunk_id
order by (t.terms <#> @query::sparsevec) + 0, t.chunk_id limit @row_limit;
