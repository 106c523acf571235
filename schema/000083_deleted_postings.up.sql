-- Chunks that were deleted while their project has postings: a search subtracts them until the segments that hold them are
-- written anew. They are noted in the transaction that deletes them, wherever it does so.
create table deleted_postings (
  company_id text not null,
  project_id text not null,
  chunk_id bigint not null,
  primary key (company_id, project_id, chunk_id),
  foreign key (company_id, project_id) references projects on delete cascade
);
alter table deleted_postings enable row level security;
alter table deleted_postings force row level security;
create policy tenant on deleted_postings
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');

-- A segment holds the postings of the chunks after one id, up to and including another; chunks: how many they were.
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
alter table posting_segments enable row level security;
alter table posting_segments force row level security;
create policy tenant on posting_segments
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');

-- postings_tracked: deleted chunks are noted. postings_epoch grows with each change of it, so that a sweep that was overtaken
-- notices. chunks_forgotten: how many notes were removed since the index of vectors was made, which holds those chunks still.
-- Nobody has noted the deleted chunks of the postings so far: those projects are searched chunk by chunk until the
-- next sweep has written new ones. Truncate and set_config, since row-level security binds the owner, too.
alter table project_lexstats
  add column postings_tracked boolean not null default false,
  add column postings_epoch integer not null default 0,
  add column chunks_forgotten integer not null default 0;
truncate chunk_postings;
select set_config('app.company_id', '*', true);
update project_lexstats set promoted = false, postings_until = 0, postings_next = 0, postings_xid = 0,
  updated_at = updated_at + make_interval(secs => 0.000001)
where promoted or postings_until > 0;

-- A project without postings pays one look-up for each statement that deletes chunks. The project itself may be on its way
-- out: nothing is noted then.
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
