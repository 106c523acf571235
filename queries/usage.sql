-- name: UsageTakeMessage :one
-- Counts one accepted question of the month. No row: the plan's quota is used up.
insert into usage_months as u (company_id, month, messages) values (@company_id, @month, 1)
on conflict (company_id, month) do update set messages = u.messages + 1 where u.messages < @quota::integer
returning u.messages;

-- name: UsageGet :one
select * from usage_months where company_id = @company_id and month = @month;
