-- name: ConsistencyDocuments :many
-- A page of the project's documents with what their index really holds. Those that wait for an upload or are on their way
-- are left out. vectors: passages with one of the model; misfits: those of another length. "is true" keeps the indexes out that
-- begin with the company: through them all passages of the project would be read for each document.
select d.document_id, d.external_id, d.status, d.source_type, d.source_url, d.object_key, d.object_etag, d.chunk_count, d.indexed_at,
  d.replacement, d.vector_models, c.chunks, c.terms, c.vectors, c.misfits
from documents d
cross join lateral (
  select count(*)::integer as chunks, count(t.chunk_id)::integer as terms, count(v.chunk_id)::integer as vectors,
    (count(*) filter (where vector_dims(v.embedding) <> @dimensions::integer))::integer as misfits
  from chunks k
  left join chunk_terms t on t.company_id = k.company_id and t.project_id = k.project_id and t.chunk_id = k.chunk_id
  left join chunk_vectors v on v.company_id = k.company_id and v.project_id = k.project_id and v.chunk_id = k.chunk_id and v.model = @model::text
  where (k.company_id = @company_id) is true and (k.project_id = @project_id) is true and k.document_id = d.document_id
) c
where d.company_id = @company_id and d.project_id = @project_id and d.status in ('uploaded', 'indexed', 'failed')
  and d.document_id > @after_document_id
order by d.document_id limit @row_limit;

-- name: ConsistencyStrayChunks :many
-- Passages of no document: foreign keys forbid them, damaged tables hold them. The scalar subquery looks each document up by its
-- own id, once; a join could compare every passage with every document.
select k.document_id, count(*)::integer as chunks from chunks k
where k.company_id = @company_id and k.project_id = @project_id
group by k.document_id
having (
  select d.document_id from documents d
  where d.document_id = k.document_id and (d.company_id = @company_id) is true and (d.project_id = @project_id) is true
) is null
order by k.document_id limit @row_limit;

-- name: ConsistencyModel :one
-- The model whose vectors answer, and their length. No row: none does, or its length is not known.
select l.vector_model, m.dimensions from project_lexstats l join vector_models m on m.model = l.vector_model
where l.company_id = @company_id and l.project_id = @project_id;

-- name: DocumentAdoptObject :exec
-- The stored object is another one than was indexed: the next run reads it as it is.
update documents set object_etag = @object_etag::text, size_bytes = @size_bytes, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id and object_key = @object_key::text
  and status in ('uploaded', 'indexed', 'failed');
