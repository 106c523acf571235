-- name: UsageGet :one
select * from usage_months where company_id = @company_id and month = @month;
