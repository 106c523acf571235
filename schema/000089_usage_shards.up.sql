-- What a company has used of a month, in sixteen rows: a question locks one of them until its transaction ends, so that the
-- questions of one company do not wait for each other. Each shard has its share of the quota (internal/chat/quota.go).
-- usage_months keeps what was counted before, and what processes of the version before count during a release.
create table usage_shards (
  company_id text not null references companies on delete cascade,
  month date not null,
  shard smallint not null check (shard between 0 and 15),
  messages integer not null default 0,
  primary key (company_id, month, shard)
) with (fillfactor = 50);

alter table usage_shards enable row level security;
alter table usage_shards force row level security;
create policy tenant on usage_shards
  using (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*')
  with check (company_id = current_setting('app.company_id', true) or current_setting('app.company_id', true) = '*');
