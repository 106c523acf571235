-- name: ChunkSearch :many
-- The best chunks by BM25 (an inner product of sparse vectors, exact: every chunk of the project is judged), and the
-- stamp of the statistics that the query vector should have been made from: where it differs, the caller reloads
-- them and asks again. No row: no hit, or nothing was ingested yet. The shape holds the plan, also right after an
-- ingestion when the planner knows nothing of the new rows: one scan of the terms, then a look-up by key for each hit
-- (of documents by their own id: the concatenation keeps the lists' indexes out).
with best as materialized (
  select t.chunk_id, (-(t.terms <#> @query::sparsevec))::float8 as score
  from chunk_terms t
  where t.company_id = @company_id and t.project_id = @project_id
  order by (t.terms <#> @query::sparsevec) + 0, t.chunk_id
  limit @row_limit
)
select l.updated_at as stats_updated_at, c.chunk_id, c.document_id, c.ordinal, c.page, c.start_offset, c.end_offset,
  c.heading_path, c.body, best.score, d.title, d.filename, d.source_url
from best
cross join lateral (
  select s.updated_at from project_lexstats s where s.company_id = @company_id and s.project_id = @project_id limit 1
) l
cross join lateral (
  select k.chunk_id, k.document_id, k.ordinal, k.page, k.start_offset, k.end_offset, k.heading_path, k.body from chunks k
  where k.company_id = @company_id and k.project_id = @project_id and k.chunk_id = best.chunk_id limit 1
) c
cross join lateral (
  select f.title, f.filename, f.source_url from documents f
  where f.company_id || '' = @company_id and f.project_id || '' = @project_id and f.document_id = c.document_id and f.status <> 'deleting' limit 1
) d
where best.score > 0
order by best.score desc, best.chunk_id;
