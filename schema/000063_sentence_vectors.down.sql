drop table vector_models;
drop table chunk_sentences;
alter table chunks drop column context;
alter table project_lexstats drop column vectors_partial, drop column vector_model;
