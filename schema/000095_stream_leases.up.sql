-- The open streams of each project, so that the plan's number binds all processes together. A row holds until expires_at unless its
-- process renews it, so that the streams of a dead process end by themselves. Not logged: after a crash of the database every process
-- writes its own again.
create unlogged table stream_leases (
  company_id text not null,
  project_id text not null,
  stream_id text not null,
  expires_at timestamptz not null,
  primary key (company_id, project_id, stream_id),
  foreign key (company_id, project_id) references projects on delete cascade
) with (fillfactor = 50);

alter table stream_leases enable row level security;
alter table stream_leases force row level security;
create policy tenant on stream_leases
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');

-- Opens a stream where fewer than p_most are open in the project, and tells whether it did. p_closed have ended, though their rows may
-- still be there. The lock has the openings of a project follow each other; each statement below it sees what the one before committed.
create function stream_lease_take(p_company text, p_project text, p_stream text, p_closed text[], p_most integer, p_lease interval)
returns boolean
language plpgsql as $$
declare
  opened integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('stream_leases ' || p_project, 0));
  select count(*) into opened from stream_leases s
  where s.company_id = p_company and s.project_id = p_project and s.expires_at > now() and s.stream_id <> all (p_closed);
  if opened >= p_most then
    return false;
  end if;
  insert into stream_leases (company_id, project_id, stream_id, expires_at) values (p_company, p_project, p_stream, now() + p_lease);
  return true;
end $$;
