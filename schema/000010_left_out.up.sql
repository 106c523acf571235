-- left_out: how much text the current version's file has, and how much of it is not indexed, by reasons; null before ingestion, and
-- for versions that were indexed without counting.
-- own_title: the title that a page states of itself; null where the client gave a title, and for files that state none. It is the
-- document's title if no other document of the project has it: the query that finds passages says so each time, so that no ingestion
-- or deletion has to write other documents.
alter table documents add column left_out jsonb, add column own_title text;
create index documents_own_title_idx on documents (company_id, project_id, own_title) where own_title is not null;
