-- name: ChunkStageInsert :batchexec
insert into chunk_stage (company_id, project_id, document_id, ordinal, page, start_offset, end_offset, heading_path, context, body, lead, stems, terms)
values (@company_id, @project_id, @document_id, @ordinal, @page, @start_offset, @end_offset, @heading_path, @context, @body, @lead,
  sqlc.narg(stems), @terms);

-- name: ChunkStageDelete :exec
delete from chunk_stage where company_id = @company_id and project_id = @project_id and document_id = @document_id;

-- name: ChunksFromStage :exec
-- Copies the document's chunks from the stage, in their order.
insert into chunks (company_id, project_id, document_id, ordinal, page, start_offset, end_offset, heading_path, context, body, lead, stems)
select s.company_id, s.project_id, s.document_id, s.ordinal, s.page, s.start_offset, s.end_offset, s.heading_path, s.context, s.body, s.lead, s.stems
from chunk_stage s where s.company_id = @company_id and s.project_id = @project_id and s.document_id = @document_id
order by s.ordinal;

-- name: ChunkTermsFromStage :exec
-- Copies the terms of the document's chunks from the stage. The planner has no statistics of new rows; this form of the join makes it
-- look up each chunk in the index that has all four columns.
insert into chunk_terms (company_id, project_id, chunk_id, terms)
select s.company_id, s.project_id, c.chunk_id, s.terms from chunk_stage s
cross join lateral (
  select k.chunk_id from chunks k
  where k.document_id = s.document_id and k.company_id = s.company_id and k.project_id = s.project_id and k.ordinal = s.ordinal
  limit 1
) c
where s.company_id = @company_id and s.project_id = @project_id and s.document_id = @document_id;
