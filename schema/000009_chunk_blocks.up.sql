-- blocks: kinds and places of the body's blocks, packed (package doc); null for chunks that were stored without: their body counts
-- as one paragraph.
alter table chunks add column blocks bytea;
alter table chunk_stage add column blocks bytea;
