-- The application's role. It cannot log in; the application uses it by SET ROLE after connecting. It owns nothing, so row-level
-- security applies to it. Roles belong to the whole database server: it is created once, under the migration lock.
do $$
begin
  if not exists (select from pg_roles where rolname = 'docqa_app') then
    create role docqa_app nologin;
  end if;
  if not pg_has_role(current_user, 'docqa_app', 'member') then
    execute format('grant docqa_app to %I', current_user);
  end if;
exception
  when duplicate_object or unique_violation then null;
end $$;
grant usage on schema public to docqa_app;
grant select, insert, update, delete on all tables in schema public to docqa_app;
revoke truncate on all tables in schema public from docqa_app; -- no policy binds it
grant usage, select on all sequences in schema public to docqa_app;
grant execute on all functions in schema public to docqa_app;
