-- Nothing that was counted is lost.
insert into usage_months as u (company_id, month, messages)
  select company_id, month, sum(messages) from usage_shards group by company_id, month
  on conflict (company_id, month) do update set messages = u.messages + excluded.messages;
drop table usage_shards;
