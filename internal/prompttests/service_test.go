package prompttests_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/chat"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/column"
	"docqa/internal/prompttests"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
	"docqa/jobs/jobargs"
)

// asker answers everything, but the question "down" while it is down.
type asker struct {
	down  atomic.Bool
	asked atomic.Int32
}

func (a *asker) Preview(_ context.Context, _ string, _ *dbsqlc.Project, question string) (chat.PreviewResult, error) {
	a.asked.Add(1)
	if question == "down" && a.down.Load() {
		return chat.PreviewResult{}, errors.New("the database is away")
	}
	return chat.PreviewResult{
		Reply: chat.Reply{Kind: chat.KindAnswer, Text: "The warranty lasts 24 months [1].", Sources: column.Sources{{DocumentTitle: "Terms", Location: "terms.pdf"}}},
		Found: []search.Passage{{DocumentID: "doc_1", Title: "Other"}, {DocumentID: "doc_2", Title: "Terms"}, {DocumentID: "doc_2", Title: "Terms"}},
	}, nil
}

// queue notes the jobs instead of working them.
type queue struct{ inserted []river.JobArgs }

func (q *queue) InsertTx(_ context.Context, _ pgx.Tx, args river.JobArgs, _ *river.InsertOpts) (*rivertype.JobInsertResult, error) {
	q.inserted = append(q.inserted, args)
	return &rivertype.JobInsertResult{}, nil
}

type bundle struct {
	factory.Tenant
	store *store.Store
	clock *clock.Manual
	asker *asker
	queue *queue
	svc   *prompttests.Service
}

func setup(t *testing.T) bundle {
	t.Helper()
	s := dbtest.New(t)
	h := bundle{Tenant: factory.NewTenant(t, s, factory.TenantOpts{}), store: s, clock: clock.Fixed(factory.Epoch()), asker: &asker{}, queue: &queue{}}
	h.svc = prompttests.New(prompttests.Deps{Store: s, Clock: h.clock, Chat: h.asker, Jobs: h.queue, Logger: slog.New(slog.DiscardHandler)})
	return h
}

// long starts a run that a job works.
func (h bundle) long(t *testing.T) jobargs.RunPromptTests {
	t.Helper()
	prompts := make([]prompttests.Input, 12)
	for i := range prompts {
		prompts[i].Prompt = "up"
	}
	prompts[11].Prompt = "down"
	run, err := h.svc.Start(h.Context(t.Context()), &h.Project, prompttests.Request{Prompts: prompts})
	require.NoError(t, err)
	require.Equal(t, prompttests.Running, run.Row.Status)
	job, ok := h.queue.inserted[len(h.queue.inserted)-1].(jobargs.RunPromptTests)
	require.True(t, ok)
	return job
}

func (h bundle) get(t *testing.T, job jobargs.RunPromptTests) prompttests.Run {
	t.Helper()
	run, err := h.svc.Get(h.Context(t.Context()), h.CompanyID, h.Project.ProjectID, job.TestRunID)
	require.NoError(t, err)
	return run
}

func attempt(a jobargs.Attempt) jobargs.Attempt {
	a.Claim = func(context.Context, pgx.Tx) error { return nil }
	return a
}

func TestService_Work_goesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	h := setup(t)
	job := h.long(t)
	h.asker.down.Store(true)
	require.Error(t, h.svc.Work(h.Context(t.Context()), job, attempt(jobargs.Attempt{})))
	run := h.get(t, job)
	require.Equal(t, prompttests.Running, run.Row.Status)
	require.Equal(t, 11, run.Summary().Passed, "what was answered is kept")

	h.asker.down.Store(false)
	before := h.asker.asked.Load()
	require.NoError(t, h.svc.Work(h.Context(t.Context()), job, attempt(jobargs.Attempt{})))
	require.Equal(t, int32(1), h.asker.asked.Load()-before, "and not asked again")
	run = h.get(t, job)
	require.Equal(t, prompttests.Completed, run.Row.Status)
	require.Equal(t, prompttests.Summary{Total: 12, Passed: 12}, run.Summary())
	require.EqualValues(t, "run_over", apperr.CodeOf(h.svc.Work(h.Context(t.Context()), job, attempt(jobargs.Attempt{}))))
}

func TestService_Work_givesUp(t *testing.T) {
	t.Parallel()
	for name, a := range map[string]jobargs.Attempt{"at the last fault": {Last: true}, "when the process died each time": {Exhausted: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			h.asker.down.Store(true)
			job := h.long(t)
			require.NoError(t, h.svc.Work(h.Context(t.Context()), job, attempt(a)))
			run := h.get(t, job)
			require.Equal(t, prompttests.Failed, run.Row.Status)
			require.NotNil(t, run.Row.CompletedAt)
		})
	}
}

func TestService_Work_overtaken(t *testing.T) {
	t.Parallel()
	h := setup(t)
	job := h.long(t)
	overtaken := errors.New("overtaken")
	err := h.svc.Work(h.Context(t.Context()), job, jobargs.Attempt{Claim: func(context.Context, pgx.Tx) error { return overtaken }})
	require.ErrorIs(t, err, overtaken)
	require.Equal(t, prompttests.Running, h.get(t, job).Row.Status)
}

func TestService_Start_fails(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.asker.down.Store(true)
	_, err := h.svc.Start(h.Context(t.Context()), &h.Project, prompttests.Request{Prompts: []prompttests.Input{{Prompt: "down"}}})
	require.Equal(t, apperr.KindInternal, apperr.KindOf(err))
	var status string
	require.NoError(t, h.store.Pool().QueryRow(h.Context(t.Context()), "select status from test_runs").Scan(&status))
	require.Equal(t, prompttests.Failed, status)
}

func TestService_Start_checksAnswers(t *testing.T) {
	t.Parallel()
	h := setup(t)
	expected, other := "24 months", "36 months"
	run, err := h.svc.Start(h.Context(t.Context()), &h.Project, prompttests.Request{Prompts: []prompttests.Input{
		{Prompt: "a", ExpectedAnswer: &expected, RequiredSources: []string{"TERMS"}},
		{Prompt: "b", ExpectedAnswer: &other, RequiredSources: []string{"terms.pdf", "Other"}},
		{Prompt: "c"},
	}})
	require.NoError(t, err)
	first, second, third := run.Items[0].Result, run.Items[1].Result, run.Items[2].Result
	require.Equal(t, "pass", first.Status)
	require.Equal(t, []column.TestCheck{
		{Type: "answered", Passed: true, Detail: "The documents hold an answer."},
		{Type: "sources_cited", Passed: true, Detail: "1 of 1 required sources cited."},
		{Type: "answer_matches", Passed: true, Detail: "The answer holds the expected one."},
	}, first.Checks)
	require.InDelta(t, 0.5, first.Ranking.MRR, 1e-9, "the required document was found second")
	require.InDelta(t, 0.5, first.Ranking.Precision, 1e-9, "of two documents")
	require.Equal(t, "fail", second.Status)
	require.False(t, second.Checks[1].Passed)
	require.Less(t, *second.Score, 0.7)
	require.Equal(t, "pass", third.Status)
	require.Nil(t, third.Ranking)
	mean, ok := run.Ranking()
	require.True(t, ok)
	require.InDelta(t, 0.75, mean.MRR, 1e-9, "over the two that require sources")
}

func TestService_Get_lost(t *testing.T) {
	t.Parallel()
	h := setup(t)
	job := h.long(t)
	h.clock.Advance(59 * time.Minute)
	require.Equal(t, prompttests.Running, h.get(t, job).Row.Status)
	h.clock.Advance(2 * time.Minute)
	require.Equal(t, prompttests.Failed, h.get(t, job).Row.Status, "nobody works it any more")
}

func TestService_Start_keepsTheLatestRuns(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, err := h.store.Pool().Exec(h.Context(t.Context()), `insert into test_runs (company_id, project_id, test_run_id, started_at)
		select $1, $2, 'trn_0' || lpad(n::text, 25, '0'), now() from generate_series(1, 105) n`, h.CompanyID, h.Project.ProjectID)
	require.NoError(t, err)
	job := h.long(t)
	var count int
	require.NoError(t, h.store.Pool().QueryRow(h.Context(t.Context()), "select count(*) from test_runs").Scan(&count))
	require.Equal(t, 100, count)
	require.Equal(t, prompttests.Running, h.get(t, job).Row.Status)
}
