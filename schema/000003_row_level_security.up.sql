-- The second wall: without a company in the connection's setting no row is seen. '*' is the system's own work
-- (sweeps, credential look-ups), set by store.AsSystem with a reason. Forced, so that the owner is bound too.
do $$
declare
  t text;
begin
  foreach t in array array['companies', 'company_settings', 'members', 'projects', 'api_keys', 'documents', 'chunks', 'chunk_terms',
    'project_lexstats', 'conversations', 'messages', 'usage_months', 'activity_events', 'idempotency_keys'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format($p$create policy tenant on %I
      using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
      with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')$p$, t);
  end loop;
end $$;
