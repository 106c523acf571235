-- A visitor's conversations in the order of their list: with it a page is read without looking at other visitors'.
create index concurrently conversations_visitor_list_idx on conversations (company_id, project_id, visitor_id, updated_at desc, conversation_id desc);
