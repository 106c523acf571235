-- name: LargeIndexProjects :many
-- The projects, of all companies, that have postings or are large enough to get them.
-- @sqlc-vet-disable tenant-scoped
select company_id, project_id from project_lexstats
where large_index or postings_tracked or live_chunks >= @least::integer
order by company_id, project_id;

-- name: LargeIndexState :one
select large_index, live_chunks, vector_model, postings_until, postings_next, postings_xid, postings_tracked, postings_epoch, chunks_forgotten
from project_lexstats where company_id = @company_id and project_id = @project_id;

-- name: LargeIndexLock :one
-- Until the transaction ends, no other sweep writes postings of the project. false: another sweep is writing them now.
select pg_try_advisory_xact_lock(hashtextextended('postings ' || s.project_id, 0))::boolean from project_lexstats s
where s.company_id = @company_id and s.project_id = @project_id;

-- name: LargeIndexTrack :exec
-- From now on deletions of chunks are recorded. What the sweep stored about running transactions is older than that, so it is reset.
update project_lexstats set postings_tracked = true, postings_epoch = postings_epoch + 1, postings_until = 0, postings_next = 0, postings_xid = 0
where company_id = @company_id and project_id = @project_id;

-- name: ChunkIDsLast :one
-- The last id that was reserved for a chunk.
-- @sqlc-vet-disable tenant-scoped
select coalesce(pg_sequence_last_value(pg_get_serial_sequence('chunks', 'chunk_id')::regclass), 0)::bigint;

-- name: LargeIndexHorizon :one
-- begun: the id of this transaction. ended: every transaction with a smaller id has ended. The xmax of the snapshot cannot take the
-- place of begun: it is smaller than the id of a running transaction if no transaction with a larger id has ended yet.
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
-- The segments in the order of their chunks, each with the number of its chunks that were deleted since it was written.
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
-- Runs before the chunks of a range are read for a segment. The segment will not contain the deleted chunks, so their records are not
-- needed any more.
with forgotten as (
  delete from deleted_postings d where d.company_id = @company_id and d.project_id = @project_id
    and d.chunk_id > @after_chunk_id and d.chunk_id <= @until
  returning d.chunk_id
)
update project_lexstats s set chunks_forgotten = s.chunks_forgotten + (select count(*) from forgotten)
where s.company_id = @company_id and s.project_id = @project_id and exists (select from forgotten);

-- name: VectorIndexMade :exec
-- The index of vectors was built again: that many of the deleted chunks are no longer in it.
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
-- Turns the use of the large index on or off. updated_at grows, so that searches notice the change.
update project_lexstats set large_index = @large_index, postings_tracked = @large_index,
  postings_epoch = postings_epoch + case when @large_index::boolean then 0 else 1 end,
  postings_until = case when @large_index::boolean then postings_until else 0 end,
  updated_at = greatest(@now::timestamptz, updated_at + make_interval(secs => 0.000001))
where company_id = @company_id and project_id = @project_id;

-- name: PostingsOfTerms :many
-- The postings of some terms, and in one more row, with the term -1, the chunks that were deleted. One statement reads both, so that
-- no segment can be written between the two.
select p.term, p.postings, '{}'::bigint[] as deleted from chunk_postings p
where p.company_id = @company_id and p.project_id = @project_id and p.term = any(@terms::integer[])
union all
select -1, ''::bytea, coalesce(array_agg(d.chunk_id), '{}')::bigint[] from deleted_postings d
where d.company_id = @company_id and d.project_id = @project_id;

-- name: ChunkTermsTail :many
-- The best chunks among those that are in no segment yet.
select t.chunk_id, (-(t.terms <#> @query::sparsevec))::float8 as score from chunk_terms t
where t.company_id = @company_id and t.project_id = @project_id and t.chunk_id > @after_chunk_id
order by (t.terms <#> @query::sparsevec) + 0, t.chunk_id limit @row_limit;
