-- name: CompanyCreate :one
-- The plan of a new company is free. Billing or an operator changes it later.
insert into companies (company_id, name, slug, owner_user_id, created_at, updated_at)
values (@company_id, @name, @slug, @owner_user_id, @now, @now)
returning *;

-- name: CompanyGet :one
select * from companies where company_id = @company_id;

-- name: CompanyPlanLock :one
-- Reads the plan and locks the company. Whoever counts for a plan limit takes this lock first, so that the count cannot change meanwhile.
select plan from companies where company_id = @company_id for no key update;

-- name: CompanyLock :one
-- Reads and locks the company. Whoever counts for a plan limit takes this lock first: else two requests could both take the last place.
select * from companies where company_id = @company_id for no key update;

-- name: CompanyRename :one
-- The slug does not change, since links contain it.
update companies set name = @name, updated_at = @now where company_id = @company_id returning *;

-- name: CompanySetPlan :one
update companies set plan = @plan, updated_at = @now where company_id = @company_id returning *;

-- name: CompanySettingsCreate :one
insert into company_settings (company_id, created_at, updated_at) values (@company_id, @now, @now) returning *;

-- name: CompanySettingsGet :one
select * from company_settings where company_id = @company_id;
