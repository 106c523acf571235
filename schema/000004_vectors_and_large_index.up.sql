-- The models that this installation has used, with the length of their vectors: a model must not get vectors of another length,
-- which could not be compared. The table belongs to no company.
create table vector_models (
  model text primary key,
  dimensions integer not null check (dimensions > 0)
);

-- Vectors of chunks. The model is part of the key, so that vectors of a new model can be made while searches use the old ones. The
-- column has no fixed dimensions, since each installation has its own models. Plain storage: a scan must not read TOAST.
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
-- For deleting the vectors of a chunk; see chunks_of_document_idx.
create index chunk_vectors_of_chunk_idx on chunk_vectors (chunk_id, company_id, project_id);
select add_tenant_policy('chunk_vectors');

-- The vectors of a chunk's sentences and table rows, packed (package sentvec): they are only ever read together. Retrieval looks
-- them up by chunk, so the chunk comes before the model. External storage: small integers do not compress.
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
select add_tenant_policy('chunk_sentences');

-- The large index by words: for each term the chunks of a segment that have it, with its weight in each, packed (package postings).
create table chunk_postings (
  company_id text not null,
  project_id text not null,
  term integer not null,
  segment integer not null,
  postings bytea not null,
  primary key (company_id, project_id, term, segment),
  foreign key (company_id, project_id) references projects on delete cascade
);
alter table chunk_postings alter column postings set storage external;
select add_tenant_policy('chunk_postings');

-- A segment holds the postings of the chunks after one id, up to and including another; chunks: how many there were.
create table posting_segments (
  company_id text not null,
  project_id text not null,
  segment integer not null,
  after_chunk_id bigint not null,
  until_chunk_id bigint not null,
  chunks integer not null,
  primary key (company_id, project_id, segment),
  foreign key (company_id, project_id) references projects on delete cascade
);
select add_tenant_policy('posting_segments');

-- Chunks that were deleted while their project has postings. A search leaves them out until their segments are rewritten. A
-- trigger inserts them in the transaction that deletes them, whichever statement does it.
create table deleted_postings (
  company_id text not null,
  project_id text not null,
  chunk_id bigint not null,
  primary key (company_id, project_id, chunk_id),
  foreign key (company_id, project_id) references projects on delete cascade
);
select add_tenant_policy('deleted_postings');

-- For a project without postings, each statement that deletes chunks costs one look-up. If the project itself is being deleted,
-- nothing is inserted.
create function note_deleted_chunks() returns trigger language plpgsql as $$
declare
  p record;
begin
  for p in select distinct r.company_id, r.project_id from removed r loop
    if exists (
      select from project_lexstats s where s.company_id = p.company_id and s.project_id = p.project_id and s.postings_tracked
    ) and exists (
      select from projects o where o.company_id = p.company_id and o.project_id = p.project_id
    ) then
      insert into deleted_postings (company_id, project_id, chunk_id)
      select r.company_id, r.project_id, r.chunk_id from removed r
      where r.company_id = p.company_id and r.project_id = p.project_id
      on conflict do nothing;
    end if;
  end loop;
  return null;
end $$;
create trigger chunks_deleted after delete on chunks referencing old table as removed
  for each statement execute function note_deleted_chunks();
