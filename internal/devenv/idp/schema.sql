create schema if not exists idp;

create table if not exists idp.accounts (
  sub           text primary key,
  email         text not null unique,
  password_hash text not null,
  created_at    timestamptz not null
);

create table if not exists idp.signing_keys (
  id          text primary key,
  private_key bytea not null,
  created_at  timestamptz not null
);

-- Sign-ins in progress. browser is the hash of the cookie of the browser that
-- opened the page, code_hash that of the code it was given at the end.
create table if not exists idp.auth_requests (
  id              text primary key,
  client_id       text not null,
  redirect_uri    text not null,
  scopes          text[] not null,
  state           text not null,
  nonce           text not null,
  response_mode   text not null,
  code_challenge  text not null,
  created_at      timestamptz not null,
  browser         bytea,
  sub             text references idp.accounts (sub) on delete cascade,
  auth_time       timestamptz,
  code_hash       bytea unique,
  code_expires_at timestamptz
);

create index if not exists auth_requests_created_at on idp.auth_requests (created_at);

-- Sign-ins that failed, by e-mail address and by network address.
create table if not exists idp.failures (
  key text not null,
  at  timestamptz not null
);

create index if not exists failures_key_at on idp.failures (key, at);
