-- Runs after River's own migration; may run again. Companies take turns in the queues, so waiting jobs are looked up by company.
create index if not exists river_job_by_company_idx
  on river_job (queue, (coalesce(args ->> 'company_id', '')), priority, scheduled_at, id) where state = 'available';
