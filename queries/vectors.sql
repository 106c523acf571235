-- name: ChunkVectorsInsert :batchexec
-- Inserts nothing for a chunk that was deleted meanwhile.
insert into chunk_vectors (company_id, project_id, model, chunk_id, embedding)
select c.company_id, c.project_id, @model::text, c.chunk_id, @embedding::halfvec from chunks c
where c.company_id = @company_id and c.project_id = @project_id and c.chunk_id = @chunk_id
on conflict (company_id, project_id, model, chunk_id) do update set embedding = excluded.embedding;

-- name: ChunkSentencesInsert :batchexec
-- Stores the packed vectors of a chunk's sentences. Inserts nothing for a chunk that was deleted meanwhile.
insert into chunk_sentences (company_id, project_id, chunk_id, model, vectors)
select c.company_id, c.project_id, c.chunk_id, @model::text, @vectors::bytea from chunks c
where c.company_id = @company_id and c.project_id = @project_id and c.chunk_id = @chunk_id
on conflict (company_id, project_id, chunk_id, model) do update set vectors = excluded.vectors;

-- name: ChunkVectorsMissing :many
-- A page of the chunks without a vector of the model, with the title, headings and context that are embedded before their text.
select c.chunk_id, c.document_id, c.heading_path, c.context, c.body, d.title from chunks c
join documents d on d.company_id = c.company_id and d.project_id = c.project_id and d.document_id = c.document_id
where c.company_id = @company_id and c.project_id = @project_id and c.chunk_id > @after_chunk_id
  and not exists (
    select 1 from chunk_vectors v
    where v.company_id = c.company_id and v.project_id = c.project_id and v.model = @model and v.chunk_id = c.chunk_id
  )
order by c.chunk_id limit @row_limit;

-- name: ChunkVectorsCount :one
select count(*)::integer from chunk_vectors where company_id = @company_id and project_id = @project_id and model = @model;

-- name: ChunkVectorsDeleteOthers :execrows
-- Deletes the vectors of all other models, after the project has switched to this one.
delete from chunk_vectors where company_id = @company_id and project_id = @project_id and model <> @model;

-- name: ChunkSentencesDeleteOthers :execrows
delete from chunk_sentences where company_id = @company_id and project_id = @project_id and model <> @model;

-- name: ProjectVectorModel :one
-- The model whose vectors searches in the project use. No row: nothing was ingested yet.
select vector_model, vectors_partial, live_chunks from project_lexstats where company_id = @company_id and project_id = @project_id;

-- name: ProjectVectorModelSet :exec
-- Switches searches to the model; every chunk has a vector of it now. updated_at grows, so that searches notice the change.
update project_lexstats set vector_model = @model, vectors_partial = false,
  updated_at = greatest(@now::timestamptz, updated_at + make_interval(secs => 0.000001))
where company_id = @company_id and project_id = @project_id;

-- name: ProjectVectorsPartial :exec
-- Chunks were stored without a vector of the project's model.
update project_lexstats set vectors_partial = true where company_id = @company_id and project_id = @project_id;

-- name: ProjectsLackingVectors :many
-- A page of the projects whose model is not in the list, or which have chunks without a vector of their model.
-- @sqlc-vet-disable tenant-scoped
select company_id, project_id from project_lexstats
where live_chunks > 0 and (vectors_partial or vector_model <> all(@models::text[]))
  and (company_id, project_id) > (@after_company_id::text, @after_project_id::text)
order by company_id, project_id limit @row_limit;

-- name: ChunkVectorsAnyMissing :one
select exists (
  select from chunks c where c.company_id = @company_id and c.project_id = @project_id and not exists (
    select from chunk_vectors v
    where v.company_id = c.company_id and v.project_id = c.project_id and v.model = @model and v.chunk_id = c.chunk_id
  )
)::boolean;

-- name: VectorModelRegister :one
-- Returns the dimensions that are stored for the model. Stores the given ones first if the model is new or has no vectors any more. With
-- dimensions 0 it only reads; no row then: the model is not known.
-- @sqlc-vet-disable tenant-scoped
with given as (
  insert into vector_models as known (model, dimensions)
  select @model::text, @dimensions::integer where @dimensions::integer > 0
  on conflict (model) do update set dimensions = case
    when known.dimensions = excluded.dimensions or exists (select from chunk_vectors v where v.model = known.model) then known.dimensions
    else excluded.dimensions end
  returning dimensions
)
select g.dimensions from given g
union all
select m.dimensions from vector_models m where m.model = @model::text and @dimensions::integer = 0;

-- name: DocumentsLockNamed :exec
-- Locks documents in the order of their ids, see DocumentsOfClient, so that the next statement sees their latest chunks.
select from documents
where company_id = @company_id and project_id = @project_id and document_id = any(@document_ids::text[]) order by document_id for update;

-- name: DocumentsVectored :exec
-- Adds the model to vector_models of those documents whose chunks all have a vector of it. The caller has locked the documents.
update documents d set vector_models = array_append(d.vector_models, @model::text)
where d.company_id = @company_id and d.project_id = @project_id and d.document_id = any(@document_ids::text[])
  and d.status <> 'deleting' and @model::text <> all(d.vector_models) and not exists (
    select from chunks c where c.company_id = d.company_id and c.project_id = d.project_id and c.document_id = d.document_id and not exists (
      select from chunk_vectors v
      where v.company_id = c.company_id and v.project_id = c.project_id and v.model = @model::text and v.chunk_id = c.chunk_id
    )
  );
