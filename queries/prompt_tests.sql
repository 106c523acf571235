-- name: TestPromptList :many
-- All rows, dismissed suggestions included, newest first.
select * from test_prompts where company_id = @company_id and project_id = @project_id
order by created_at desc, test_id desc;

-- name: TestPromptCountSaved :one
select count(*)::integer from test_prompts where company_id = @company_id and project_id = @project_id and source = 'saved';

-- name: TestPromptSave :one
-- Inserts a saved test, or changes the row with its id into this saved test, also if that row was a suggestion.
insert into test_prompts (company_id, project_id, test_id, prompt, expected_answer, required_sources, source, created_at, updated_at)
values (@company_id, @project_id, @test_id, @prompt, sqlc.narg(expected_answer), @required_sources, 'saved', @now::timestamptz, @now::timestamptz)
on conflict (company_id, project_id, test_id) do update
  set prompt = excluded.prompt, expected_answer = excluded.expected_answer, required_sources = excluded.required_sources,
    source = 'saved', dismissed = false, updated_at = excluded.updated_at
returning *;

-- name: TestPromptDelete :execrows
delete from test_prompts where company_id = @company_id and project_id = @project_id and test_id = @test_id;

-- name: TestPromptDismiss :exec
-- Suggestions are made from the documents each time; this row says not to show one again. The row has none of its words, so that they
-- are gone when the document is deleted.
insert into test_prompts (company_id, project_id, test_id, prompt, source, dismissed, created_at, updated_at)
values (@company_id, @project_id, @test_id, '', 'suggested', true, @now::timestamptz, @now::timestamptz)
on conflict (company_id, project_id, test_id) do update set source = 'suggested', dismissed = true, prompt = '', expected_answer = null,
  required_sources = '{}', updated_at = excluded.updated_at;

-- name: TestPromptResult :batchexec
-- Stores a result. Inserts the row if there is none: a suggestion has none before its first result.
insert into test_prompts (company_id, project_id, test_id, prompt, source, last_result, last_run_at, created_at, updated_at)
values (@company_id, @project_id, @test_id, '', 'suggested', @last_result, @now::timestamptz, @now::timestamptz, @now::timestamptz)
on conflict (company_id, project_id, test_id) do update set last_result = excluded.last_result, last_run_at = excluded.last_run_at;

-- name: TestSuggestionHeadings :many
-- The first headings of the newest documents, in the order of each document. "is true" stops the planner from using the indexes that
-- begin with the company: with them it would read all chunks of the project for each document.
select d.document_id, d.title, coalesce(d.language, 'en')::text as language, d.changed_at, h.heading
from (
  select o.document_id, o.title, o.language, o.updated_at as changed_at from documents o
  where o.company_id = @company_id and o.project_id = @project_id and o.status = 'indexed'
  order by o.document_id desc limit @document_limit
) d
cross join lateral (
  select c.heading_path[cardinality(c.heading_path)]::text as heading, min(c.ordinal)::integer as place
  from chunks c
  where (c.company_id = @company_id) is true and (c.project_id = @project_id) is true and c.document_id = d.document_id and c.ordinal < 100
    and cardinality(c.heading_path) > 0
  group by 1 order by 2 limit 8
) h
order by d.document_id desc, h.place, h.heading;

-- name: TestRunCreate :one
insert into test_runs (company_id, project_id, test_run_id, started_at)
values (@company_id, @project_id, @test_run_id, @now)
returning *;

-- name: TestRunItemCreate :batchexec
insert into test_run_items (company_id, project_id, test_run_id, ordinal, test_id, prompt, expected_answer, required_sources, suggested_by)
values (@company_id, @project_id, @test_run_id, @ordinal, sqlc.narg(test_id), @prompt, sqlc.narg(expected_answer), @required_sources,
  sqlc.narg(suggested_by));

-- name: TestRunPrune :exec
-- Deletes all but the newest runs of the project. Ids sort by time.
delete from test_runs t where t.company_id = @company_id and t.project_id = @project_id and t.test_run_id not in (
  select r.test_run_id from test_runs r where r.company_id = @company_id and r.project_id = @project_id
  order by r.test_run_id desc limit @kept);

-- name: TestRunGet :one
select * from test_runs where company_id = @company_id and project_id = @project_id and test_run_id = @test_run_id;

-- name: TestRunItems :many
select * from test_run_items where company_id = @company_id and project_id = @project_id and test_run_id = @test_run_id
order by ordinal;

-- name: TestRunItemResult :exec
-- Only the first result is stored: a later attempt at the same test changes nothing.
update test_run_items set result = @result
where company_id = @company_id and project_id = @project_id and test_run_id = @test_run_id and ordinal = @ordinal and result is null;

-- name: TestRunFinish :one
-- No row: the run has finished already or was deleted.
update test_runs set status = @status, completed_at = @now::timestamptz
where company_id = @company_id and project_id = @project_id and test_run_id = @test_run_id and status = 'running'
returning *;
