drop function stream_lease_take(text, text, text, text[], integer, interval);
drop function sources_redacted(jsonb, text[]);
drop table stream_leases, answer_streams, usage_shards, message_documents, messages, conversations;
