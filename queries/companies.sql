-- name: CompanyCreate :one
-- The plan is free, billing or an operator changes it.
insert into companies (company_id, name, slug, owner_user_id, created_at, updated_at)
values (@company_id, @name, @slug, @owner_user_id, @now, @now)
returning *;

-- name: CompanyGet :one
select * from companies where company_id = @company_id;

-- name: CompanyPlanLock :one
-- The plan, locked: what a plan limit counts cannot change meanwhile by others who take this lock.
select plan from companies where company_id = @company_id for no key update;
-- name: CompanyLock :one
-- What a plan limits is counted under this lock, so that two requests cannot both take the last place.
select * from companies where company_id = @company_id for no key update;

-- name: CompanyRename :one
-- The slug stays: links hold it.
update companies set name = @name, updated_at = @now where company_id = @company_id returning *;

-- name: CompanySetPlan :one
update companies set plan = @plan, updated_at = @now where company_id = @company_id returning *;

-- name: CompanySettingsCreate :one
insert into company_settings (company_id, created_at, updated_at) values (@company_id, @now, @now) returning *;

-- name: CompanySettingsGet :one
select * from company_settings where company_id = @company_id;
