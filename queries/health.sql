-- name: HealthVectorIndex :one
-- Fails if sparse vectors cannot be compared: the extension is not installed, or the table cannot be read.
-- @sqlc-vet-disable tenant-scoped
select count(probe.distance)::integer from (select (t.terms <#> t.terms)::float8 as distance from chunk_terms t limit 1) probe;
