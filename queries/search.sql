-- name: ChunkSearch :many
-- The candidates of a search, in one round trip: the best chunks by BM25 (an inner product of sparse vectors), the best by the vectors
-- of a model, row_limit of each, and the chunks of cited_chunks. Each row has both scores, so that the caller can fuse them.
--
-- Without indexed, every chunk of the project is scored. With indexed, only the chunks of by_words and by_meaning are scored: the caller
-- took them from the project's large index. An empty model means that no vectors are used. With semantic, BM25 adds no candidates. A scan
-- that is not needed does not run. filters is null, or an object whose members are lists: the document's metadata must have one of the
-- values of each list.
--
-- Every row has updated_at of the statistics and the project's model. If they are not those that the query was made with, the caller
-- reloads them and searches again. No row: nothing was found, or nothing was ingested yet.
--
-- The query is written so that the planner always takes the same plan, also right after an ingestion, when it has no statistics of the
-- new rows: one scan of the terms and one of the vectors, then look-ups by key for each candidate. The minus in front of a distance stops
-- the use of its index and computes the score once. The concatenation (|| '') stops the use of the indexes for lists of documents.
-- "offset 0" checks the filters once for each document. "is true" stops the use of the indexes of the whole project when the chunks of
-- a document are read.
with allowed as materialized (
  select k.chunk_id from (
    select f.document_id from documents f
    where f.company_id = @company_id and f.project_id = @project_id and not exists (
      select from jsonb_each(sqlc.narg('filters')::jsonb) w (key, any_of) where not coalesce(w.any_of @> (f.metadata -> w.key), false)
    ) offset 0
  ) f
  join chunks k on k.document_id = f.document_id and (k.company_id = @company_id) is true and (k.project_id = @project_id) is true
), lexical as materialized (
  select every.chunk_id, every.score from (
    select t.chunk_id, (-(t.terms <#> @query::sparsevec))::float8 as score
    from chunk_terms t
    where t.company_id = @company_id and t.project_id = @project_id and not @semantic::boolean and not @indexed::boolean
      and (sqlc.narg('filters')::jsonb is null or t.chunk_id in (select a.chunk_id from allowed a))
    union all
    select n.chunk_id, n.score from unnest(@by_words::bigint[]) w (chunk_id) cross join lateral (
      select t.chunk_id, (-(t.terms <#> @query::sparsevec))::float8 as score from chunk_terms t
      where t.company_id = @company_id and t.project_id = @project_id and t.chunk_id = w.chunk_id limit 1
    ) n
  ) every
  order by every.score desc, every.chunk_id
  limit @row_limit
), dense as materialized (
  select every.chunk_id, every.score from (
    select v.chunk_id, (-(v.embedding <#> @vector::halfvec))::float8 as score
    from chunk_vectors v
    where v.company_id = @company_id and v.project_id = @project_id and v.model = @model and @model::text <> '' and not @indexed::boolean
      and (sqlc.narg('filters')::jsonb is null or v.chunk_id in (select a.chunk_id from allowed a))
    union all
    select n.chunk_id, n.score from unnest(@by_meaning::bigint[]) w (chunk_id) cross join lateral (
      select v.chunk_id, (-(v.embedding <#> @vector::halfvec))::float8 as score from chunk_vectors v
      where v.company_id = @company_id and v.project_id = @project_id and v.model = @model and v.chunk_id = w.chunk_id limit 1
    ) n
  ) every
  order by every.score desc, every.chunk_id
  limit @row_limit
), best as materialized (
  select o.chunk_id, max(o.bm25) as bm25, max(o.cosine) as cosine from (
    select x.chunk_id, x.score as bm25, null::float8 as cosine from lexical x where x.score > 0
    union all
    select y.chunk_id, null, y.score from dense y
    union all
    select z.chunk_id, null, null from unnest(@cited_chunks::bigint[]) z (chunk_id)
    where sqlc.narg('filters')::jsonb is null or z.chunk_id in (select a.chunk_id from allowed a)
  ) o group by o.chunk_id
)
select l.updated_at as stats_updated_at, l.vector_model, c.chunk_id, c.document_id, c.ordinal, c.page, c.start_offset, c.end_offset,
  c.heading_path, c.context, c.body, c.lead, c.stems, c.blocks, d.title::text as title, d.filename, d.source_url, d.external_id, d.metadata,
  coalesce(best.bm25, (
    select -(t.terms <#> @query::sparsevec) from chunk_terms t
    where t.company_id = @company_id and t.project_id = @project_id and t.chunk_id = best.chunk_id limit 1
  ), 0)::float8 as bm25,
  coalesce(best.cosine, (
    select -(v.embedding <#> @vector::halfvec) from chunk_vectors v
    where @model::text <> '' and v.company_id = @company_id and v.project_id = @project_id and v.model = @model and v.chunk_id = best.chunk_id limit 1
  ), 0)::float8 as cosine,
  coalesce((
    select r.vectors from chunk_sentences r
    where @model::text <> '' and r.company_id = @company_id and r.project_id = @project_id and r.chunk_id = best.chunk_id and r.model = @model limit 1
  ), ''::bytea)::bytea as sentences
from best
cross join lateral (
  select s.updated_at, s.vector_model from project_lexstats s where s.company_id = @company_id and s.project_id = @project_id limit 1
) l
cross join lateral (
  select k.chunk_id, k.document_id, k.ordinal, k.page, k.start_offset, k.end_offset, k.heading_path, k.context, k.body, k.lead, k.stems, k.blocks from chunks k
  where k.company_id = @company_id and k.project_id = @project_id and k.chunk_id = best.chunk_id limit 1
) c
cross join lateral (
  select f.filename, f.source_url, f.external_id, f.metadata,
    case when f.own_title is null or exists (
      select from documents o
      where o.company_id = @company_id and o.project_id = @project_id and o.own_title = f.own_title and o.document_id <> f.document_id
        and o.status <> 'deleting'
    ) then f.title else f.own_title end as title
  from documents f
  where f.company_id || '' = @company_id and f.project_id || '' = @project_id and f.document_id = c.document_id and f.status <> 'deleting' limit 1
) d
order by best.chunk_id;

-- name: SearchTexts :many
-- Texts of the project whose words a misspelt word may mean: titles, and chunks with their headings. Of the chunks it reads runs of
-- up to run_length, which begin at places evenly spread over the project; one run is the whole project up to that length.
with ends as materialized (
  select
    (select k.chunk_id from chunks k where k.company_id = @company_id and k.project_id = @project_id order by k.chunk_id limit 1) as first,
    (select k.chunk_id from chunks k where k.company_id = @company_id and k.project_id = @project_id order by k.chunk_id desc limit 1) as last
), places as materialized ( -- computed first, so that the index finds each place
  select e.first + (e.last - e.first) / sqlc.arg(runs)::integer * run as place
  from ends e cross join generate_series(0, sqlc.arg(runs)::integer - 1) run
)
(select d.title from documents d
 where d.company_id = @company_id and d.project_id = @project_id and d.status <> 'deleting' limit @row_limit)
union all
select array_to_string(c.heading_path, ' ') || ' ' || c.context || ' ' || c.body
from places p
cross join lateral (
  select k.heading_path, k.context, k.body from chunks k
  where k.company_id = @company_id and k.project_id = @project_id and k.chunk_id >= p.place
  order by k.chunk_id limit @run_length
) c;
