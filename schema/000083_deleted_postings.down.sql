drop trigger chunks_deleted on chunks;
drop function note_deleted_chunks();
truncate chunk_postings;
select set_config('app.company_id', '*', true);
update project_lexstats set promoted = false, postings_until = 0, postings_next = 0, postings_xid = 0,
  updated_at = updated_at + make_interval(secs => 0.000001)
where promoted or postings_until > 0;
alter table project_lexstats drop column chunks_forgotten, drop column postings_epoch, drop column postings_tracked;
drop table posting_segments;
drop table deleted_postings;
