create extension if not exists vector;

-- Every table of a tenant leads its keys with company_id: foreign keys are composite, so no row can point
-- at another company's row, and the tables can be distributed by company_id later.

create table companies (
  company_id text primary key,
  name text not null,
  slug text not null,
  plan text not null default 'free' check (plan in ('free', 'growth', 'pro', 'enterprise')),
  status text not null default 'active' check (status in ('active', 'suspended', 'deleted')),
  billing_status text not null default 'active',
  owner_user_id text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint companies_slug_key unique (slug)
);

create table company_settings (
  company_id text primary key references companies on delete cascade,
  allowed_origin_defaults text[] not null default '{}',
  default_chat_model_arn text,
  default_system_prompt text not null default '',
  default_max_tokens integer not null default 1024,
  retention_days integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- People are ours; (provider, subject) links them to the identity provider. Invited people have no subject yet.
create table users (
  user_id text primary key,
  email text not null,
  created_at timestamptz not null default now()
);
create index users_email_idx on users (lower(email));

create table user_identities (
  provider text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  email text not null,
  email_verified boolean not null,
  created_at timestamptz not null default now(),
  primary key (provider, subject)
);
create index user_identities_user_idx on user_identities (user_id);

create table members (
  company_id text not null references companies on delete cascade,
  user_id text not null references users on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  status text not null check (status in ('active', 'invited')),
  invited_at timestamptz,
  joined_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, user_id)
);
-- One active company per user: the API has no selector.
create unique index members_one_active_key on members (user_id) where status = 'active';
create index members_email_idx on members (lower(email)) where status = 'invited';

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

create table documents (
  company_id text not null,
  project_id text not null,
  document_id text not null,
  filename text not null,
  title text not null,
  status text not null default 'pending'
    check (status in ('pending', 'uploaded', 'processing', 'indexed', 'failed', 'deleting')),
  content_type text not null,
  format text not null,
  size_bytes bigint not null default 0,
  source_type text not null default 'upload' check (source_type in ('upload', 'crawl', 'connector', 'api')),
  source_url text,
  upload_key text,
  object_key text,
  object_etag text,
  sha256 text,
  language text,
  version_number integer not null default 1,
  page_count integer,
  chunk_count integer not null default 0,
  stage text check (stage in ('parsing', 'chunking', 'embedding', 'storing')),
  progress real,
  error_code text,
  error_message text,
  error_retryable boolean,
  processing_started_at timestamptz,
  uploaded_at timestamptz,
  indexed_at timestamptz,
  created_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, project_id, document_id),
  constraint documents_document_id_key unique (document_id),
  foreign key (company_id, project_id) references projects on delete cascade
);
create index documents_list_idx on documents (company_id, project_id, created_at desc, document_id desc);
create index documents_unsettled_idx on documents (status, updated_at) where status in ('pending', 'processing', 'deleting');

-- The body of a chunk and its vectors live apart: an exact scan over terms or vectors must not read bodies.
create table chunks (
  company_id text not null,
  project_id text not null,
  chunk_id bigint generated by default as identity,
  document_id text not null,
  ordinal integer not null,
  page integer,
  start_offset integer not null,
  end_offset integer not null,
  heading_path text[] not null default '{}',
  body text not null,
  primary key (company_id, project_id, chunk_id),
  foreign key (company_id, project_id, document_id) references documents on delete cascade
);
create index chunks_document_idx on chunks (company_id, project_id, document_id, ordinal);

create table chunk_terms (
  company_id text not null,
  project_id text not null,
  chunk_id bigint not null,
  terms sparsevec(1000000000) not null,
  primary key (company_id, project_id, chunk_id),
  foreign key (company_id, project_id, chunk_id) references chunks on delete cascade
) with (toast_tuple_target = 8160);
alter table chunk_terms alter column terms set storage main;

-- Document frequencies for the query side of BM25, rebuilt after each sync.
create table project_lexstats (
  company_id text not null,
  project_id text not null,
  chunk_count integer not null,
  average_length real not null,
  terms integer[] not null,
  counts integer[] not null,
  updated_at timestamptz not null default now(),
  primary key (company_id, project_id),
  foreign key (company_id, project_id) references projects on delete cascade
);

create table conversations (
  company_id text not null,
  project_id text not null,
  conversation_id text not null,
  session_id text not null,
  visitor_id text not null,
  channel text not null check (channel in ('dashboard', 'public', 'msgapp')),
  source text not null check (source in ('frontend', 'api_key', 'msgapp')),
  preview text not null,
  message_count integer not null default 0,
  review_status text not null default 'unreviewed' check (review_status in ('unreviewed', 'unresolved', 'resolved')),
  rating text check (rating in ('good', 'bad')),
  notes text not null default '',
  escalated_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, project_id, conversation_id),
  constraint conversations_conversation_id_key unique (conversation_id),
  constraint conversations_session_id_key unique (session_id),
  foreign key (company_id, project_id) references projects on delete cascade
);
create index conversations_workspace_idx on conversations (company_id, updated_at desc, conversation_id desc);
create index conversations_project_idx on conversations (company_id, project_id, updated_at desc, conversation_id desc);
create index conversations_visitor_idx on conversations (company_id, project_id, visitor_id, updated_at desc);

create table messages (
  company_id text not null,
  project_id text not null,
  conversation_id text not null,
  message_id text not null,
  role text not null check (role in ('user', 'assistant', 'system')),
  content text not null,
  kind text check (kind in ('answer', 'lead_capture_prompt', 'no_answer')),
  sources jsonb not null default '[]',
  suggested_follow_ups text[] not null default '{}',
  confidence_level text check (confidence_level in ('high', 'medium', 'low', 'none')),
  confidence_score real,
  rating text check (rating in ('up', 'down')),
  rated_at timestamptz,
  model text,
  prompt_tokens integer,
  completion_tokens integer,
  created_at timestamptz not null default now(),
  primary key (company_id, project_id, conversation_id, message_id),
  foreign key (company_id, project_id, conversation_id) references conversations on delete cascade
);

-- One row a company and month: what the plan limits count.
create table usage_months (
  company_id text not null references companies on delete cascade,
  month date not null,
  messages integer not null default 0,
  primary key (company_id, month)
);

create table activity_events (
  company_id text not null references companies on delete cascade,
  event_id text not null,
  type text not null,
  actor_type text not null check (actor_type in ('user', 'key', 'system', 'visitor')),
  actor_id text,
  actor_name text not null default '',
  project_id text,
  resource_type text not null,
  resource_id text not null,
  resource_name text not null default '',
  summary text not null,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (company_id, event_id)
);

create table idempotency_keys (
  company_id text not null references companies on delete cascade,
  scope text not null,
  key text not null,
  request_hash bytea not null,
  status integer,
  body bytea,
  created_at timestamptz not null default now(),
  primary key (company_id, scope, key)
);
