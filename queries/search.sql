-- name: ChunkSearch :many
-- The best chunks by BM25 (an inner product of sparse vectors, exact: every chunk of the project is judged), and the
-- stamp of the statistics that the query vector should have been made from: where it differs, the caller reloads
-- them and asks again. No row: no hit, or nothing was ingested yet.
select l.updated_at as stats_updated_at, hit.chunk_id, hit.document_id, hit.ordinal, hit.page, hit.start_offset,
  hit.end_offset, hit.heading_path, hit.body, hit.score, hit.title, hit.filename, hit.source_url
from project_lexstats l
cross join lateral (
  select c.chunk_id, c.document_id, c.ordinal, c.page, c.start_offset, c.end_offset, c.heading_path, c.body,
    best.score, d.title, d.filename, d.source_url
  from (
    select t.chunk_id, (-(t.terms <#> @query::sparsevec))::float8 as score
    from chunk_terms t
    where t.company_id = @company_id and t.project_id = @project_id
    order by (t.terms <#> @query::sparsevec) + 0, t.chunk_id
    limit @row_limit
  ) best
  join chunks c on c.company_id = @company_id and c.project_id = @project_id and c.chunk_id = best.chunk_id
  join documents d on d.company_id = @company_id and d.project_id = @project_id and d.document_id = c.document_id and d.status <> 'deleting'
  where best.score > 0
) hit
where l.company_id = @company_id and l.project_id = @project_id
order by hit.score desc, hit.chunk_id;
