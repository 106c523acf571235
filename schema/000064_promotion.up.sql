-- A project of many chunks is searched by indexes of its own. Its words: postings, written by segments of chunks; those
-- after postings_until are in none yet and are judged one by one. postings_next is how far a segment may go once every
-- transaction that ran when it was read has ended: an ingestion reserves the ids of its chunks long before they appear.
alter table project_lexstats
  add column promoted boolean not null default false,
  add column postings_until bigint not null default 0,
  add column postings_next bigint not null default 0,
  add column postings_xid bigint not null default 0;

-- The chunks of a segment that hold a term, with its weight in each, packed (package postings).
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

alter table chunk_postings enable row level security;
alter table chunk_postings force row level security;
create policy tenant on chunk_postings
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');
