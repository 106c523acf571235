-- The model whose vectors answer questions of the project; '' while it has none. It changes in one transaction, when
-- every chunk has a vector of the new one. vectors_partial: chunks were stored by a process that has not this model.
alter table project_lexstats
  add column vector_model text not null default '',
  add column vectors_partial boolean not null default false;

-- The header of a table that began in an earlier chunk: read with the body, never shown.
alter table chunks add column context text not null default '';

-- The vectors of a chunk's sentences and table rows, packed (package sentvec): they are only ever read together.
-- Retrieval looks them up by chunk, so that the chunk comes before the model. Small integers do not compress.
create table chunk_sentences (
  company_id text not null,
  project_id text not null,
  chunk_id bigint not null,
  model text not null,
  vectors bytea not null,
  primary key (company_id, project_id, chunk_id, model),
  foreign key (company_id, project_id, chunk_id) references chunks on delete cascade
);
alter table chunk_sentences alter column vectors set storage external;

alter table chunk_sentences enable row level security;
alter table chunk_sentences force row level security;
create policy tenant on chunk_sentences
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');

-- The models that this installation has had and the length of their vectors: those of one name must not differ, or
-- none could be compared. It belongs to no company.
create table vector_models (
  model text primary key,
  dimensions integer not null check (dimensions > 0)
);
