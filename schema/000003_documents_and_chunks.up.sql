-- replacement: the file, title and metadata of a new version that waits until it is indexed.
-- ingest_run: the number of the latest ingestion run; writes of earlier runs have no effect.
-- run_job_id: the job of a RAG client that the run belongs to, null where no RAG client asked for it.
-- queued_at: since when the document waits for a worker; null while it needs no worker or a worker has it.
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
-- At its end, an ingestion checks whether another one of the project runs; the index spares reading all documents.
create index documents_processing_idx on documents (company_id, project_id) where status = 'processing';
-- The sweep looks for documents that wait or are worked on for too long.
create index documents_working_idx on documents (coalesce(processing_started_at, queued_at)) where status = 'processing';
-- The external id of a document that is being deleted can be used again at once.
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

-- Texts, terms and vectors of chunks are in different tables: an exact scan of terms or vectors must not read the texts.
-- context: the header of a table that began in an earlier chunk; it is indexed with the body and never shown.
-- lead: the text of the page between the previous chunk and this one, if it is short. It belongs to no chunk. A passage that
-- joins the two chunks contains it.
-- stems: the positions of the body's words with their terms (package lexical), so that a search does not have to compute them;
-- null for chunks that were stored without.
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
-- Deleting a document deletes its chunks by the foreign key, whose condition has all columns of the key. Without statistics, the
-- planner takes the index that has most of these columns. So this index has all of them and begins with document_id, which finds
-- the rows. With the primary key, every chunk of the project would be read for each document.
create index chunks_of_document_idx on chunks (document_id, company_id, project_id, ordinal);
alter table chunks enable row level security, force row level security;
create policy tenant on chunks
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');

-- Main storage and a large target keep the terms out of TOAST, since an exact scan reads those of every chunk.
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

-- The chunks of a document that is stored in slices. At the end one transaction moves all of them to chunks, so that no search
-- finds only a part of a document.
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

-- What a search must know of a project before it reads chunks. One row for each project; its first ingestion inserts it.
--
-- terms, counts and average_length are the document frequencies for BM25, counted again after each sync. chunk_count: how many
-- chunks were counted; total_chunks: how many there were then; live_chunks: how many there are now; stale: chunks were added or
-- deleted since. updated_at is the version of the row: a search that has cached an older one loads it again.
--
-- vector_model: the model whose vectors searches use; '' if there is none. It changes in one transaction, when every chunk has a
-- vector of the new model. vectors_partial: a process without this model has stored chunks.
--
-- The large index of a project of many chunks (chunk_postings). large_index: searches use it. Chunks after postings_until are in no
-- segment yet and are scored one by one. postings_next: the last chunk of the next segment. That segment may be written when every
-- transaction up to postings_xid has ended, since an ingestion reserves the ids of its chunks long before it commits them.
-- postings_tracked: deletions of chunks are recorded in deleted_postings. postings_epoch grows when tracking starts or ends, so that
-- a sweep notices that another one has changed the postings. chunks_forgotten: how many chunks that were deleted are still in the
-- index of vectors although their records were removed.
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

-- How many seconds the workers have worked for a company in a queue lately. Companies take turns by it. The sum decays: after a
-- minute, a second counts a third. Unlogged: after a crash of the database every company begins at zero.
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
