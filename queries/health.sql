-- name: HealthVectorIndex :one
-- Whether the sparse vectors can be compared: the extension is there and the table can be read.
-- @sqlc-vet-disable tenant-scoped
select count(probe.distance)::integer from (select (t.terms <#> t.terms)::float8 as distance from chunk_terms t limit 1) probe;
