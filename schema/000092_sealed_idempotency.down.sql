select set_config('app.company_id', '*', true);
delete from idempotency_keys;
