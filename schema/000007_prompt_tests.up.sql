-- The questions of test runs. Suggestions are made from the documents; a row with source 'suggested' stores only the last result
-- of a suggestion, or that somebody dismissed it. It has none of its words.
create table test_prompts (
  company_id text not null,
  project_id text not null,
  test_id text not null,
  prompt text not null,
  expected_answer text,
  required_sources text[] not null default '{}',
  source text not null check (source in ('saved', 'suggested')),
  dismissed boolean not null default false,
  last_result text check (last_result in ('pass', 'fail', 'error')),
  last_run_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, project_id, test_id),
  foreign key (company_id, project_id) references projects on delete cascade
);
select add_tenant_policy('test_prompts');

create table test_runs (
  company_id text not null,
  project_id text not null,
  test_run_id text not null,
  status text not null default 'running' check (status in ('running', 'completed', 'failed')),
  started_at timestamptz not null,
  completed_at timestamptz,
  primary key (company_id, project_id, test_run_id),
  foreign key (company_id, project_id) references projects on delete cascade
);
select add_tenant_policy('test_runs');

-- One row for each question of a run, in the order of the request. It has a copy of the test, which may change or be deleted.
-- suggested_by: the document whose headings suggested the question; null if a person wrote it.
create table test_run_items (
  company_id text not null,
  project_id text not null,
  test_run_id text not null,
  ordinal integer not null,
  test_id text,
  prompt text not null,
  expected_answer text,
  required_sources text[] not null default '{}',
  suggested_by text,
  result jsonb,
  primary key (company_id, project_id, test_run_id, ordinal),
  foreign key (company_id, project_id, test_run_id) references test_runs on delete cascade
);
select add_tenant_policy('test_run_items');
