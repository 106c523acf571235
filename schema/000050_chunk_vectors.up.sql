-- Vectors of chunks. The model is part of the key: those of another model are built beside and taken into use at once,
-- and each installation has the dimensions of its models. Plain storage: a scan of a project must not visit TOAST.
create table chunk_vectors (
  company_id text not null,
  project_id text not null,
  model text not null,
  chunk_id bigint not null,
  embedding halfvec not null,
  primary key (company_id, project_id, model, chunk_id),
  foreign key (company_id, project_id, chunk_id) references chunks on delete cascade
);
alter table chunk_vectors alter column embedding set storage plain;
-- Deleting a chunk finds its vectors by it.
create index chunk_vectors_chunk_idx on chunk_vectors (chunk_id);

alter table chunk_vectors enable row level security;
alter table chunk_vectors force row level security;
create policy tenant on chunk_vectors
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');
