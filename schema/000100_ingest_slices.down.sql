drop table work_shares;
drop table chunk_stage;
drop index documents_working_idx;
alter table documents drop column queued_at, drop column work, drop column vector_models;
