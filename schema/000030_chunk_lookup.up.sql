-- Search looks chunks up by their key right after an ingestion, when the planner knows nothing of the new rows and
-- takes any index that begins with the project for as good as the key. This one begins with the document.
drop index chunks_document_idx;
create index chunks_document_idx on chunks (document_id, ordinal);
