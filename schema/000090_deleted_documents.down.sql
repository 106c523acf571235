alter table test_run_items drop column suggested_by;
drop index activity_events_document_idx;
drop table deleted_document_ids;
drop table message_documents;
drop function sources_redacted(jsonb, text[]);
