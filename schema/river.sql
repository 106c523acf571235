-- Run after River's own migration: companies take turns in the queues, so the waiting jobs are found by company. Idempotent.
create index if not exists river_job_by_company_idx
  on river_job (queue, (coalesce(args ->> 'company_id', '')), priority, scheduled_at, id) where state = 'available';
