-- name: ConsistencyDocuments :many
-- A page of the project's documents with what the index really holds of each. Documents that wait for an upload or are being ingested
-- are left out. vectors: chunks with a vector of the model; misfits: chunks whose vector has another length. "is true" stops the planner
-- from using the indexes that begin with the company: with them it would read all chunks of the project for each document.
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
-- Chunks without a document. Foreign keys forbid them, but damaged tables may have them. The scalar subquery looks up each document
-- once, by its id; a join could compare every chunk with every document.
select k.document_id, count(*)::integer as chunks from chunks k
where k.company_id = @company_id and k.project_id = @project_id
group by k.document_id
having (
  select d.document_id from documents d
  where d.document_id = k.document_id and (d.company_id = @company_id) is true and (d.project_id = @project_id) is true
) is null
order by k.document_id limit @row_limit;

-- name: ConsistencyModel :one
-- The model whose vectors searches use, and their length. No row: there is no such model, or its length is not known.
select l.vector_model, m.dimensions from project_lexstats l join vector_models m on m.model = l.vector_model
where l.company_id = @company_id and l.project_id = @project_id;

-- name: DocumentAdoptObject :exec
-- The stored object is not the one that was indexed. Records the stored one, which the next ingestion run reads.
update documents set object_etag = @object_etag::text, size_bytes = @size_bytes, updated_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and document_id = @document_id and object_key = @object_key::text
  and status in ('uploaded', 'indexed', 'failed');
