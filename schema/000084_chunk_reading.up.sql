-- What a search would have to work out anew of every chunk that it reads. lead: the text of the page between the chunk before and
-- this one, which belongs to none, where it is short; neighbours are shown as one passage with it. stems: the places of the
-- body's words with the terms that they count as (package lexical); null for chunks that were stored without.
alter table chunks
  add column lead text not null default '',
  add column stems bytea;
alter table chunks alter column stems set storage external;
