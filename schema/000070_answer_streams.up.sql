-- How far streamed answers are, so that any process can go on with one whose reader was cut off. Not logged: it is worth
-- nothing after a crash of the database, and rows are swept a few minutes after their answer. body: what was written, which
-- lags behind the stream; body_bytes: its length after the last write, so that a write that is repeated adds nothing.
create unlogged table answer_streams (
  company_id text not null,
  project_id text not null,
  message_id text not null,
  conversation_id text not null,
  session_id text not null,
  visitor_id text not null,
  body text not null,
  body_bytes integer not null,
  error_code text not null default '',
  error_message text not null default '',
  began_at timestamptz not null,
  updated_at timestamptz not null default now(),
  primary key (company_id, project_id, message_id),
  foreign key (company_id, project_id) references projects on delete cascade
);

alter table answer_streams enable row level security;
alter table answer_streams force row level security;
create policy tenant on answer_streams
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');
