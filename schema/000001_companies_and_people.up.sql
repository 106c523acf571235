create extension if not exists vector;

-- In every table with rows of companies, the keys begin with company_id. Foreign keys include it, so no row can refer to
-- another company's row, and the tables can be distributed by company_id later.
--
-- Row-level security: a connection sees the rows of the company in its setting app.company_id, and none without it. '*' is
-- the system's own work (sweeps, credential look-ups), set by store.AsSystem. Forced, so that it binds the tables' owner too.
-- Every table with a company_id calls this function.
create function add_tenant_policy(tenant_table regclass) returns void language plpgsql as $$
declare
  visible text := $sql$company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*'$sql$;
begin
  execute format('alter table %s enable row level security, force row level security', tenant_table);
  execute format('create policy tenant on %1$s using (%2$s) with check (%2$s)', tenant_table, visible);
end $$;

create table companies (
  company_id text primary key,
  name text not null,
  slug text not null,
  plan text not null default 'free' check (plan in ('free', 'growth', 'pro', 'enterprise')),
  status text not null default 'active' check (status in ('active', 'suspended', 'deleted')),
  owner_user_id text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint companies_slug_key unique (slug)
);
select add_tenant_policy('companies');

-- The defaults of the company's new projects.
create table company_settings (
  company_id text primary key references companies on delete cascade,
  allowed_origin_defaults text[] not null default '{}',
  default_chat_model_arn text,
  default_system_prompt text not null default '',
  default_max_tokens integer not null default 1024,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
select add_tenant_policy('company_settings');

-- Users belong to no company by themselves; the table members connects them to one.
create table users (
  user_id text primary key,
  email text not null,
  created_at timestamptz not null default now()
);
create index users_email_idx on users (lower(email));

-- (provider, subject) identifies the person at the identity provider. Invited people have no row before their first sign-in.
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
-- One active company per user: the API has no way to select one.
create unique index members_one_active_key on members (user_id) where status = 'active';
create index members_email_idx on members (lower(email)) where status = 'invited';
select add_tenant_policy('members');
