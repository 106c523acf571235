create index conversations_visitor_idx on conversations (company_id, project_id, visitor_id, updated_at desc);
