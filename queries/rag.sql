-- name: ProjectIndexStats :one
-- What the index of a project holds, uploaded documents included. Tokens are estimated by the length of the first thousand
-- passages, four characters each: reading every body of a large project would take seconds. The epoch: nothing is indexed.
select count(*)::integer as total,
  (count(*) filter (where d.status = 'indexed'))::integer as indexed,
  (count(*) filter (where d.status = 'processing'))::integer as processing,
  (count(*) filter (where d.status = 'failed'))::integer as failed,
  coalesce(sum(d.chunk_count), 0)::bigint as chunks,
  coalesce(sum(d.size_bytes), 0)::bigint as size_bytes,
  (coalesce(max(d.indexed_at), 'epoch'))::timestamptz as last_indexed_at,
  coalesce((select avg(length(c.body)) / 4 from (
    select k.body from chunks k where k.company_id = @company_id and k.project_id = @project_id order by k.chunk_id limit 1000
  ) c), 0)::float8 as chunk_tokens,
  coalesce((select l.vector_model from project_lexstats l where l.company_id = @company_id and l.project_id = @project_id), '')::text
    as vector_model
from documents d where d.company_id = @company_id and d.project_id = @project_id and d.status <> 'deleting';
