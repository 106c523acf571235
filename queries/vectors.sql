-- name: ChunkVectorsInsert :batchexec
-- A chunk that is gone by now has no row: the vector came too late.
insert into chunk_vectors (company_id, project_id, model, chunk_id, embedding)
select c.company_id, c.project_id, @model::text, c.chunk_id, @embedding::halfvec from chunks c
where c.company_id = @company_id and c.project_id = @project_id and c.chunk_id = @chunk_id
on conflict (company_id, project_id, model, chunk_id) do update set embedding = excluded.embedding;

-- name: ChunkSentencesInsert :batchexec
-- The packed vectors of a chunk's sentences; a chunk that is gone by now has no row.
insert into chunk_sentences (company_id, project_id, chunk_id, model, vectors)
select c.company_id, c.project_id, c.chunk_id, @model::text, @vectors::bytea from chunks c
where c.company_id = @company_id and c.project_id = @project_id and c.chunk_id = @chunk_id
on conflict (company_id, project_id, chunk_id, model) do update set vectors = excluded.vectors;

-- name: ChunkVectorsMissing :many
-- A page of the chunks that the model has not read yet, with what goes in front of their text.
select c.chunk_id, c.heading_path, c.context, c.body, d.title from chunks c
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
-- After the switch: the vectors of the other models.
delete from chunk_vectors where company_id = @company_id and project_id = @project_id and model <> @model;

-- name: ChunkSentencesDeleteOthers :execrows
delete from chunk_sentences where company_id = @company_id and project_id = @project_id and model <> @model;

-- name: ProjectVectorModel :one
-- The model whose vectors answer questions of the project. No row: nothing was ingested yet.
select vector_model, vectors_partial from project_lexstats where company_id = @company_id and project_id = @project_id;
