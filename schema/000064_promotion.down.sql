drop table chunk_postings;
alter table project_lexstats drop column postings_xid, drop column postings_next, drop column postings_until, drop column promoted;
