alter table chunk_stage drop column blocks;
alter table chunks drop column blocks;
