-- queued_at: since when the document waits for a worker; null while none is wanted or one works. processing_started_at: since
-- when a worker has it; null while it waits. work: what was read of a large file and how much of it is stored already.
-- vector_models: the models of which every chunk of the document has a vector.
alter table documents
  add column queued_at timestamptz,
  add column work jsonb,
  add column vector_models text[] not null default '{}';
-- The sweep looks for what waits or is worked too long.
create index documents_working_idx on documents (coalesce(processing_started_at, queued_at)) where status = 'processing';

-- The chunks of a document that is being stored in slices, until the transaction that makes them searchable: no search
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

alter table chunk_stage enable row level security;
alter table chunk_stage force row level security;
create policy tenant on chunk_stage
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');

-- How long the workers have lately worked for a company in a queue, by which companies take turns: what was worked a minute
-- ago counts a third. Not logged: after a crash of the database everybody begins at nothing.
create unlogged table work_shares (
  company_id text not null,
  queue text not null,
  seconds double precision not null,
  updated_at timestamptz not null default now(),
  primary key (company_id, queue)
);
alter table work_shares enable row level security;
alter table work_shares force row level security;
create policy tenant on work_shares
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');
