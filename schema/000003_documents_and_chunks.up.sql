-- replacement: the file, title and metadata that take the place of the present ones once they are indexed.
-- ingest_run: the number of the latest ingestion run; what an earlier run still writes has no effect.
-- run_job_id: the job of a RAG client that the run belongs to, null where no RAG client asked for it.
-- queued_at: since when the document waits for a worker; null while none is wanted or one works on it.
-- processing_started_at: since when a worker has the document; null while it waits.
-- work: what was read of a large file and how much of it is stored already.
-- vector_models: the embedding models that have a vector of every chunk of the document.
-- external_id: the id that the RAG client gave it. chunk_size, chunk_overlap: in characters, null is the default.
create table documents (
  company_id text not null,
  project_id text not null,
  document_id text not null,
  external_id text,
  filename text not null,
  title text not null,
  metadata jsonb not null default '{}',
  status text not null default 'pending'
    check (status in ('pending', 'uploaded', 'processing', 'indexed', 'failed', 'deleting')),
  content_type text not null,
  format text not null,
  size_bytes bigint not null default 0,
  source_type text not null default 'upload' check (source_type in ('upload', 'crawl', 'connector', 'api')),
  source_url text,
  upload_key text,
  object_key text,
  object_etag text,
  sha256 text,
  language text,
  version_number integer not null default 1,
  replacement jsonb,
  page_count integer,
  chunk_size integer,
  chunk_overlap integer,
  chunk_count integer not null default 0,
  vector_models text[] not null default '{}',
  ingest_run integer not null default 0,
  run_job_id text,
  stage text check (stage in ('parsing', 'chunking', 'embedding', 'storing')),
  progress real,
  work jsonb,
  error_code text,
  error_message text,
  error_retryable boolean,
  queued_at timestamptz,
  processing_started_at timestamptz,
  uploaded_at timestamptz,
  indexed_at timestamptz,
  created_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, project_id, document_id),
  constraint documents_document_id_key unique (document_id),
  foreign key (company_id, project_id) references projects on delete cascade
);
create index documents_list_idx on documents (company_id, project_id, created_at desc, document_id desc);
create index documents_unsettled_idx on documents (status, updated_at) where status in ('pending', 'processing', 'deleting');
-- The end of an ingestion asks whether another one of the project runs, without reading all documents of the project.
create index documents_processing_idx on documents (company_id, project_id) where status = 'processing';
-- The sweep looks for documents that wait or are worked on for too long.
create index documents_working_idx on documents (coalesce(processing_started_at, queued_at)) where status = 'processing';
-- A document that is being deleted gives its external id up at once.
create unique index documents_external_id_key on documents (company_id, project_id, external_id)
  where external_id is not null and status <> 'deleting';
create index documents_external_idx on documents (external_id) where external_id is not null;
alter table documents enable row level security, force row level security;
create policy tenant on documents
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');

-- The external ids of deleted documents, by their hashes, for a day: a RAG client that repeats a deletion and names no project
-- must not delete another client's document with the same id.
create table deleted_document_ids (
  company_id text not null,
  project_id text not null,
  id_hash bytea not null,
  deleted_at timestamptz not null,
  primary key (company_id, project_id, id_hash),
  foreign key (company_id, project_id) references projects on delete cascade
);
create index deleted_document_ids_hash_idx on deleted_document_ids (id_hash);
alter table deleted_document_ids enable row level security, force row level security;
create policy tenant on deleted_document_ids
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');

-- The text of a chunk and its terms and vectors live apart: an exact scan over terms or vectors must not read texts.
-- context: the header of a table that began in an earlier chunk; it is indexed with the body and never shown.
-- lead: the text of the page between the chunk before and this one, where it is short; it belongs to no chunk, and neighbouring
-- chunks are shown as one passage with it.
-- stems: the places of the body's words with the terms that they count as (package lexical), so that a search need not work them
-- out anew; null for chunks that were stored without.
create table chunks (
  company_id text not null,
  project_id text not null,
  chunk_id bigint generated by default as identity,
  document_id text not null,
  ordinal integer not null,
  page integer,
  start_offset integer not null,
  end_offset integer not null,
  heading_path text[] not null default '{}',
  context text not null default '',
  body text not null,
  lead text not null default '',
  stems bytea,
  primary key (company_id, project_id, chunk_id),
  foreign key (company_id, project_id, document_id) references documents on delete cascade
);
alter table chunks alter column stems set storage external;
-- Deleting a document deletes its chunks by the foreign key, whose condition names all columns of the key. Where the planner has
-- no statistics it takes the index that holds most of these columns: so this one begins with the id, which finds the rows, and
-- holds the others. By the primary key, every chunk of the project would be read for each document.
create index chunks_of_document_idx on chunks (document_id, company_id, project_id, ordinal);
alter table chunks enable row level security, force row level security;
create policy tenant on chunks
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');

-- Main storage and a large target keep the vector out of TOAST: an exact scan reads it of every chunk.
create table chunk_terms (
  company_id text not null,
  project_id text not null,
  chunk_id bigint not null,
  terms sparsevec(1000000000) not null,
  primary key (company_id, project_id, chunk_id),
  foreign key (company_id, project_id, chunk_id) references chunks on delete cascade
) with (toast_tuple_target = 8160);
alter table chunk_terms alter column terms set storage main;
alter table chunk_terms enable row level security, force row level security;
create policy tenant on chunk_terms
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');

-- The chunks of a document that is being stored in slices, until one transaction makes all of them searchable: no search
-- sees half a document.
create table chunk_stage (
  company_id text not null,
  project_id text not null,
  document_id text not null,
  ordinal integer not null,
  page integer,
  start_offset integer not null,
  end_offset integer not null,
  heading_path text[] not null default '{}',
  context text not null default '',
  body text not null,
  lead text not null default '',
  stems bytea,
  terms sparsevec(1000000000) not null,
  primary key (company_id, project_id, document_id, ordinal),
  foreign key (company_id, project_id, document_id) references documents on delete cascade
) with (toast_tuple_target = 8160);
alter table chunk_stage alter column terms set storage main;
alter table chunk_stage enable row level security, force row level security;
create policy tenant on chunk_stage
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');

-- What a search needs to know of a project before it reads chunks. One row a project, made by its first ingestion.
--
-- Document frequencies for the query side of BM25, rebuilt after each sync: terms, counts, average_length; chunk_count: how many
-- chunks were counted, total_chunks: how many there were then, live_chunks: how many there are now; stale: chunks came or went since.
-- updated_at is the version of the row: searches that hold an older one load it again.
--
-- vector_model: the model whose vectors answer questions of the project; '' while it has none. It changes in one transaction, when
-- every chunk has a vector of the new one. vectors_partial: a process that does not have this model stored chunks.
--
-- The large index of a project of many chunks (chunk_postings). large_index: searches use it. Chunks after postings_until are in no
-- segment yet and are scored one by one. postings_next: how far a segment may go once every transaction that ran when it was read
-- (postings_xid) has ended, since an ingestion reserves the ids of its chunks long before they appear. postings_tracked: deleted
-- chunks are noted. postings_epoch grows with each change of postings_tracked, so that a sweep that was overtaken notices.
-- chunks_forgotten: how many notes were removed since the index of vectors was made, which still holds those chunks.
create table project_lexstats (
  company_id text not null,
  project_id text not null,
  chunk_count integer not null,
  total_chunks integer not null default 0,
  live_chunks integer not null default 0,
  stale boolean not null default true,
  average_length real not null,
  vector_model text not null default '',
  vectors_partial boolean not null default false,
  large_index boolean not null default false,
  postings_tracked boolean not null default false,
  postings_epoch integer not null default 0,
  postings_until bigint not null default 0,
  postings_next bigint not null default 0,
  postings_xid bigint not null default 0,
  chunks_forgotten integer not null default 0,
  updated_at timestamptz not null default now(),
  terms integer[] not null,
  counts integer[] not null,
  primary key (company_id, project_id),
  foreign key (company_id, project_id) references projects on delete cascade
);
alter table project_lexstats enable row level security, force row level security;
create policy tenant on project_lexstats
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');

-- How long the workers have lately worked for a company in a queue, by which companies take turns: the seconds of a minute
-- ago count a third. Not logged: after a crash of the database everybody begins at zero.
create unlogged table work_shares (
  company_id text not null,
  queue text not null,
  seconds double precision not null,
  updated_at timestamptz not null default now(),
  primary key (company_id, queue)
);
alter table work_shares enable row level security, force row level security;
create policy tenant on work_shares
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');
