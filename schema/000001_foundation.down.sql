drop table idempotency_keys, activity_events, usage_months, messages, conversations, project_lexstats, chunk_terms, chunks,
  documents, api_keys, projects, members, user_identities, users, company_settings, companies;
