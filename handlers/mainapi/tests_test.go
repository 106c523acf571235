package mainapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/authn"
	"docqa/internal/platform/ids"
	"docqa/internal/testkit/apitest"
)

func testsPath(projectID string) string { return projectPath(projectID) + "/test-prompts" }

func runsPath(projectID string) string { return projectPath(projectID) + "/test-runs" }

// headed gives the project of e documents with headings.
func headed(t *testing.T, e *bundle) {
	t.Helper()
	ctx := e.company.Context(t)
	_, err := e.Store.Pool().Exec(ctx, "update documents set status = 'indexed', language = 'en' where project_id = $1", e.project.ProjectID)
	require.NoError(t, err)
	_, err = e.Store.Pool().Exec(ctx, `update chunks set heading_path = '{Service,Repair of bicycles}' where project_id = $1 and body like '%bicycles%'`, e.project.ProjectID)
	require.NoError(t, err)
	_, err = e.Store.Pool().Exec(ctx, `update chunks set heading_path = '{How long does delivery take?}' where project_id = $1 and body like '%Iceland%'`, e.project.ProjectID)
	require.NoError(t, err)
}

func (c *bundle) tests(t *testing.T) []object {
	t.Helper()
	var body struct{ TestPrompts []object }
	c.Do(t, apitest.Call{Method: http.MethodGet, Path: testsPath(c.project.ProjectID), As: c.company.Owner}).Require(t, http.StatusOK).Into(t, &body)
	return body.TestPrompts
}

func (c *bundle) saveTest(t *testing.T, body object) string {
	t.Helper()
	a := c.Do(t, apitest.Call{Method: http.MethodPost, Path: testsPath(c.project.ProjectID), As: c.company.Owner, Body: body})
	return a.Require(t, http.StatusCreated).Text(t, "testPrompt.testId")
}

func TestTestPrompts(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.Cover(t, "listTestPrompts", "createTestPrompt", "updateTestPrompt", "deleteTestPrompt")
	headed(t, e)
	project := e.project.ProjectID
	create := apitest.Call{Method: http.MethodPost, Path: testsPath(project), As: e.company.Owner, Body: object{"prompt": "Who repairs?"}}
	change := func(id string, body object) apitest.Call {
		return apitest.Call{Method: http.MethodPatch, Path: testsPath(project) + "/" + id, As: e.company.Owner, Body: body}
	}
	remove := func(id string) apitest.Call {
		return apitest.Call{Method: http.MethodDelete, Path: testsPath(project) + "/" + id, As: e.company.Owner}
	}
	prompts := func(t *testing.T) (list []any) {
		t.Helper()
		for _, test := range e.tests(t) {
			list = append(list, fmt.Sprint(test["source"], ": ", test["prompt"]))
		}
		return list
	}

	suggested := e.tests(t)
	require.Equal(t, []any{"suggested: How long does delivery take?", "suggested: What about Repair of bicycles?"}, prompts(t))
	require.Equal(t, []any{"delivery"}, suggested[0]["requiredSources"])

	a := e.Do(t, apitest.Call{Method: http.MethodPost, Path: testsPath(project), As: e.company.Owner, Body: object{
		"prompt": "  How long is the warranty? ", "expectedAnswer": "24 months", "requiredSources": []string{"warranty terms", "warranty terms"},
	}}).Require(t, http.StatusCreated)
	first := a.Text(t, "testPrompt.testId")
	require.True(t, ids.Valid(ids.TestPrompt, first))
	require.Equal(t, "How long is the warranty?", a.Text(t, "testPrompt.prompt"))
	require.Equal(t, []any{"warranty terms"}, a.Get(t, "testPrompt.requiredSources"))
	require.Nil(t, a.Get(t, "testPrompt.lastResult"))
	second := e.saveTest(t, object{"prompt": "Second?"})

	a = e.Do(t, change(first, object{"expectedAnswer": nil, "requiredSources": []string{}})).Require(t, http.StatusOK)
	require.Nil(t, a.Get(t, "testPrompt.expectedAnswer"))
	require.Equal(t, []any{}, a.Get(t, "testPrompt.requiredSources"))
	require.Equal(t, "How long is the warranty?", a.Text(t, "testPrompt.prompt"))

	kept, _ := suggested[0]["testId"].(string)
	a = e.Do(t, change(kept, object{"expectedAnswer": "five working days"})).Require(t, http.StatusOK)
	require.Equal(t, "saved", a.Text(t, "testPrompt.source"))
	require.Equal(t, kept, a.Text(t, "testPrompt.testId"))
	require.Equal(t, []any{
		"saved: How long does delivery take?", "saved: Second?", "saved: How long is the warranty?", "suggested: What about Repair of bicycles?",
	}, prompts(t))

	unwanted, _ := suggested[1]["testId"].(string)
	for _, id := range []string{second, kept, unwanted} {
		require.Equal(t, true, e.Do(t, remove(id)).Require(t, http.StatusOK).Get(t, "deleted"))
		e.Do(t, remove(id)).RequireError(t, http.StatusNotFound, "not_found")
		e.Do(t, change(id, object{"prompt": "Again?"})).RequireError(t, http.StatusNotFound, "not_found")
	}
	require.Equal(t, []any{"saved: How long is the warranty?"}, prompts(t), "what was deleted is not suggested again")

	t.Run("400", func(t *testing.T) {
		t.Parallel()
		for _, body := range []object{
			{},
			{"prompt": "  "},
			{"prompt": 7},
			{"prompt": "x", "requiredSources": []string{" "}},
			{"prompt": "x", "requiredSources": make([]string, 21)},
			{"prompt": "x", "expectedAnswer": strings.Repeat("x", 5001)},
		} {
			call := create
			call.Body = body
			e.Do(t, call).RequireError(t, http.StatusBadRequest, "validation_error")
		}
		long := object{"prompt": strings.Repeat("é", 1001)}
		call := create
		call.Body = long
		e.Do(t, call).RequireError(t, http.StatusBadRequest, "question_too_long")
		e.Do(t, change(first, long)).RequireError(t, http.StatusBadRequest, "question_too_long")
		e.Do(t, change(first, object{"prompt": nil})).RequireError(t, http.StatusBadRequest, "validation_error")
	})
	t.Run("400 for one too many", func(t *testing.T) {
		t.Parallel()
		full := e.company.Project(t)
		_, err := e.Store.Pool().Exec(e.company.Context(t), `insert into test_prompts (company_id, project_id, test_id, prompt, source)
			select $1, $2, 'tpr_' || n, 'x', 'saved' from generate_series(1, 200) n`, e.company.ID, full.ProjectID)
		require.NoError(t, err)
		call := create
		call.Path = testsPath(full.ProjectID)
		e.Do(t, call).RequireError(t, http.StatusBadRequest, "validation_error")
	})
	for name, call := range map[string]apitest.Call{
		"create": create, "change": change(first, object{"prompt": "x"}), "delete": remove(first),
		"list": {Method: http.MethodGet, Path: testsPath(project), As: e.company.Owner},
	} {
		t.Run("401, 403, 404, 413 and 415 "+name, func(t *testing.T) {
			t.Parallel()
			rest := strings.TrimPrefix(call.Path, testsPath(project))
			e.AccessRefusals(t, call, func(id string) string { return testsPath(id) + rest })
			if call.Method == http.MethodGet {
				return
			}
			call.As = e.company.Member(t, authn.RoleMember)
			e.Do(t, call).RequireError(t, http.StatusForbidden, "role_required")
		})
	}
}

func TestTestRuns(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.Cover(t, "startTestRun", "getTestRun")
	headed(t, e)
	e.Work(t)
	project := e.project.ProjectID
	member := e.company.Member(t, authn.RoleMember)
	start := func(body object) apitest.Call {
		return apitest.Call{Method: http.MethodPost, Path: runsPath(project), As: member, Body: body}
	}
	get := func(id string) apitest.Call {
		return apitest.Call{Method: http.MethodGet, Path: runsPath(project) + "/" + id, As: member}
	}
	results := func(t *testing.T, a *apitest.Answer) (list []object) {
		t.Helper()
		var body struct{ TestRun struct{ Results []object } }
		a.Into(t, &body)
		return body.TestRun.Results
	}
	ask := object{"prompt": "How long does the warranty last?", "expectedAnswer": "It lasts 24 months", "requiredSources": []string{"warranty terms"}}

	t.Run("200", func(t *testing.T) {
		t.Parallel()
		saved, wrong := e.saveTest(t, ask), e.saveTest(t, object{"prompt": "How long does the warranty last?", "expectedAnswer": "36 months", "requiredSources": []string{"delivery.txt"}})
		a := e.Do(t, start(object{"testIds": []string{saved, wrong}, "prompts": []object{
			{"prompt": "Which planets have rings?"}, {"prompt": "break"},
		}})).Require(t, http.StatusOK)
		require.Equal(t, "completed", a.Text(t, "testRun.status"))
		for member, want := range map[string]float64{"total": 4, "passed": 1, "failed": 2, "errors": 1} {
			require.InDelta(t, want, a.Get(t, "testRun.summary."+member), 0, member)
		}
		list := results(t, a)
		var verdicts []any
		for _, r := range list {
			verdicts = append(verdicts, r["status"])
		}
		require.Equal(t, []any{"pass", "fail", "fail", "error"}, verdicts)
		require.Equal(t, saved, list[0]["testId"])
		require.InDelta(t, 1, list[0]["score"], 0)
		require.Len(t, list[0]["checks"], 3)
		require.NotEmpty(t, list[0]["sources"])
		require.Nil(t, list[2]["testId"])
		require.Nil(t, list[2]["score"])
		require.Equal(t, "the model failed", list[3]["error"])
		require.Empty(t, list[3]["answer"])
		require.NotNil(t, a.Get(t, "testRun.metrics"))

		again := e.Do(t, get(a.Text(t, "testRun.testRunId"))).Require(t, http.StatusOK)
		require.Equal(t, string(a.Body), string(again.Body))
		for _, test := range e.tests(t) {
			switch test["testId"] {
			case saved:
				require.Equal(t, "pass", test["lastResult"])
				require.NotNil(t, test["lastRunAt"])
			case wrong:
				require.Equal(t, "fail", test["lastResult"])
			}
		}
		none := e.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/conversations", As: member}).Require(t, http.StatusOK)
		require.Equal(t, []any{}, none.Get(t, "conversations"), "a run leaves no conversation")
		overview := e.Do(t, apitest.Call{Method: http.MethodGet, Path: projectPath(project) + "/overview", As: member}).Require(t, http.StatusOK)
		require.InDelta(t, 0, overview.Get(t, "usage.messagesThisMonth"), 0)
		require.Contains(t, string(overview.Body), `"test_run.completed"`)
		ready := e.Do(t, apitest.Call{Method: http.MethodGet, Path: projectPath(project) + "/deploy-readiness", As: member})
		require.Contains(t, ready.Get(t, "warnings"), "prompt_tests_passing")
	})
	t.Run("200 with a suggested test", func(t *testing.T) {
		t.Parallel()
		list := e.tests(t)
		last := list[len(list)-1]
		require.Equal(t, "suggested", last["source"])
		a := e.Do(t, start(object{"testIds": []any{last["testId"]}})).Require(t, http.StatusOK)
		list = e.tests(t)
		require.Equal(t, results(t, a)[0]["status"], list[len(list)-1]["lastResult"])
		require.Equal(t, "suggested", list[len(list)-1]["source"])
	})
	t.Run("202", func(t *testing.T) {
		t.Parallel()
		prompts := make([]object, 11)
		for i := range prompts {
			prompts[i] = ask
		}
		a := e.Do(t, start(object{"prompts": prompts})).Require(t, http.StatusAccepted)
		require.Equal(t, "running", a.Text(t, "testRun.status"))
		require.Equal(t, []any{}, a.Get(t, "testRun.results"))
		require.InDelta(t, 11, a.Get(t, "testRun.summary.total"), 0)
		id := a.Text(t, "testRun.testRunId")
		require.Eventually(t, func() bool { return e.Do(t, get(id)).Text(t, "testRun.status") == "completed" }, 2*time.Minute, 10*time.Millisecond)
		a = e.Do(t, get(id))
		require.InDelta(t, 11, a.Get(t, "testRun.summary.passed"), 0)
		require.InDelta(t, 1, a.Get(t, "testRun.metrics.mrr"), 0)
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		for _, body := range []object{
			{},
			{"testIds": []string{}, "prompts": []object{}},
			{"prompts": []object{{"prompt": " "}}},
			{"prompts": []object{{}}},
			{"prompts": make([]object, 51)},
			{"testIds": []string{""}},
		} {
			e.Do(t, start(body)).RequireError(t, http.StatusBadRequest, "validation_error")
		}
		many := make([]object, 50)
		for i := range many {
			many[i] = ask
		}
		e.Do(t, start(object{"testIds": []string{"x"}, "prompts": many})).RequireError(t, http.StatusBadRequest, "validation_error")
		e.Do(t, start(object{"prompts": []object{{"prompt": strings.Repeat("x", 1001)}}})).RequireError(t, http.StatusBadRequest, "question_too_long")
	})
	t.Run("401, 403, 404, 413 and 415", func(t *testing.T) {
		t.Parallel()
		good := start(object{"prompts": []object{ask}})
		id := e.Do(t, good).Require(t, http.StatusOK).Text(t, "testRun.testRunId")
		e.AccessRefusals(t, good, runsPath)
		e.AccessRefusals(t, get(id), func(projectID string) string { return runsPath(projectID) + "/" + id })
		e.Do(t, get(ids.New(ids.TestRun))).RequireError(t, http.StatusNotFound, "not_found")
		e.Do(t, start(object{"testIds": []string{ids.New(ids.TestPrompt)}})).RequireError(t, http.StatusNotFound, "not_found")
		call := get(id)
		call.Path = runsPath(e.company.Project(t).ProjectID) + "/" + id
		e.Do(t, call).RequireError(t, http.StatusNotFound, "not_found")
	})
}
