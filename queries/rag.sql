-- name: ProjectIndexStats :one
-- What the index of a project holds, uploaded documents included. The tokens are estimated, at four characters each, from the first ten
-- chunks of a hundred documents: reading all chunks of a large project would take seconds. The epoch means that nothing is indexed.
-- "is true" stops the planner from using the indexes that begin with the company.
select count(*)::integer as total,
  (count(*) filter (where d.status = 'indexed'))::integer as indexed,
  (count(*) filter (where d.status = 'processing'))::integer as processing,
  (count(*) filter (where d.status = 'failed'))::integer as failed,
  coalesce(sum(d.chunk_count), 0)::bigint as chunks,
  coalesce(sum(d.size_bytes), 0)::bigint as size_bytes,
  (coalesce(max(d.indexed_at), 'epoch'))::timestamptz as last_indexed_at,
  coalesce((select avg(length(c.body)) / 4 from (
    select k.body from (
      select f.document_id from documents f where f.company_id = @company_id and f.project_id = @project_id order by f.document_id limit 100
    ) f
    cross join lateral (
      select p.body from chunks p where (p.company_id = @company_id) is true and (p.project_id = @project_id) is true
        and p.document_id = f.document_id order by p.ordinal limit 10
    ) k
  ) c), 0)::float8 as chunk_tokens,
  coalesce((select l.vector_model from project_lexstats l where l.company_id = @company_id and l.project_id = @project_id), '')::text
    as vector_model
from documents d where d.company_id = @company_id and d.project_id = @project_id and d.status <> 'deleting';
