do $$
declare
  t text;
begin
  for t in select tablename from pg_policies where policyname = 'tenant' and schemaname = current_schema() loop
    execute format('drop policy tenant on %I', t);
    execute format('alter table %I no force row level security', t);
    execute format('alter table %I disable row level security', t);
  end loop;
end $$;
