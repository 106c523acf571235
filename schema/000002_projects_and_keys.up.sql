-- share_epoch counts the changes of how the project is shared. Share tokens hold it: a token that was issued before sharing
-- was switched off stays invalid when it is switched on again.
create table projects (
  company_id text not null references companies on delete cascade,
  project_id text not null,
  name text not null,
  description text not null default '',
  slug text not null,
  status text not null default 'draft' check (status in ('draft', 'indexing', 'live', 'archived')),
  allowed_origins text[] not null default '{}',
  settings jsonb not null default '{}',
  chat_model_arn text not null,
  hide_service_branding boolean not null default false,
  share_enabled boolean not null default false,
  share_slug text,
  share_epoch integer not null default 0,
  access_mode text not null default 'public' check (access_mode in ('public', 'private')),
  escalation_webhook_url text,
  escalation_webhook_secret bytea,
  escalation_email text,
  lead_capture_enabled boolean not null default false,
  lead_form_fields jsonb not null default '[]',
  lead_alert_webhook_url text,
  lead_alert_webhook_secret bytea,
  feedback_enabled boolean not null default true,
  widget jsonb not null default '{}',
  last_deployed_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (company_id, project_id),
  constraint projects_project_id_key unique (project_id),
  constraint projects_share_slug_key unique (share_slug)
);
create index projects_list_idx on projects (company_id, created_at desc, project_id);
select add_tenant_policy('projects');

-- in_pair: a deploy or a rotation issued the key as one of the project's pair; later deploys show this pair.
create table api_keys (
  company_id text not null,
  project_id text not null,
  key_id text not null,
  kind text not null check (kind in ('integration', 'embed')),
  environment text not null check (environment in ('live', 'test')),
  label text not null default '',
  prefix text not null,
  last4 text not null,
  secret_hash bytea not null,
  status text not null default 'active' check (status in ('active', 'revoked')),
  in_pair boolean not null default false,
  created_by text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  primary key (company_id, project_id, key_id),
  constraint api_keys_secret_hash_key unique (secret_hash),
  foreign key (company_id, project_id) references projects on delete cascade
);
create index api_keys_list_idx on api_keys (company_id, created_at desc, key_id);
select add_tenant_policy('api_keys');
