package mainapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/authn"
	"docqa/internal/testkit/apitest"
)

func TestGetProjectOverview(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.Cover(t, "getProjectOverview")
	path := func(projectID string) string { return projectPath(projectID) + "/overview" }
	get := func(projectID string) apitest.Call {
		return apitest.Call{Method: http.MethodGet, Path: path(projectID), As: e.company.Owner}
	}
	steps := func(t *testing.T, a *apitest.Answer) map[string]bool {
		t.Helper()
		var body struct {
			Setup []struct {
				Step        string
				Completed   bool
				CompletedAt *string
			}
		}
		a.Into(t, &body)
		done := map[string]bool{}
		for _, s := range body.Setup {
			done[s.Step] = s.Completed
			require.True(t, s.Completed || s.CompletedAt == nil, s.Step)
		}
		return done
	}

	t.Run("200 of a new project", func(t *testing.T) {
		t.Parallel()
		a := e.Do(t, get(e.company.Project(t).ProjectID)).Require(t, http.StatusOK)
		require.Equal(t, map[string]bool{
			"add_documents": false, "sync": false, "test_prompts": false, "allowed_origins": false, "deploy": false, "install_widget": false,
		}, steps(t, a))
		require.InDelta(t, 0, a.Get(t, "setupProgress"), 0)
		require.Equal(t, "draft", a.Text(t, "project.status"))
		events, _ := a.Get(t, "recentActivity").([]any)
		require.Len(t, events, 1)
		event, _ := events[0].(object)
		require.Equal(t, "project.created", event["type"])
		actor, _ := event["actor"].(object)
		require.Equal(t, e.company.Owner.ID, actor["userId"])
		require.Nil(t, actor["keyId"])
	})
	t.Run("200 of one at work", func(t *testing.T) {
		t.Parallel()
		p := e.company.Project(t, shopOrigin)
		for _, status := range []string{"indexed", "failed", "processing", "pending"} {
			e.company.Document(t, p.ProjectID, status)
		}
		key, embed := e.company.Key(t, p.ProjectID, "integration", "live"), e.company.Key(t, p.ProjectID, "embed", "live")
		e.Do(t, apitest.Call{Method: http.MethodPost, Path: projectPath(p.ProjectID) + "/deploy", As: e.company.Owner}).Require(t, http.StatusOK)
		for _, rating := range []string{"up", "up", "down"} {
			a := e.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: key, Body: object{"question": "Who?", "visitorId": "v"}}).Require(t, http.StatusOK)
			e.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat/feedback", Key: key, Body: object{
				"conversationId": a.Get(t, "conversationId"), "messageId": a.Get(t, "assistantMessageId"), "visitorId": "v", "rating": rating,
			}}).Require(t, http.StatusOK)
		}
		e.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: embed, Origin: shopOrigin, Body: object{"question": "Who?"}}).Require(t, http.StatusOK)
		e.Keys.Wait(t.Context())
		a := e.Do(t, get(p.ProjectID)).Require(t, http.StatusOK)
		for member, want := range map[string]float64{
			"documents.total": 4, "documents.indexed": 1, "documents.failed": 0, "documents.processing": 2, "documents.storageMb": 0,
			"usage.messagesThisMonth": 4, "usage.conversations7d": 4, "quality.thumbsUp7d": 2, "quality.thumbsDown7d": 1,
			"quality.weakAnswers7d": 4, "quality.unresolved": 0, "setupProgress": 5. / 6,
		} {
			require.InDelta(t, want, a.Get(t, member), 1e-9, member)
		}
		require.Equal(t, map[string]bool{
			"add_documents": true, "sync": true, "test_prompts": false, "allowed_origins": true, "deploy": true, "install_widget": true,
		}, steps(t, a))
	})
	t.Run("200 of an archived one", func(t *testing.T) {
		t.Parallel()
		p := e.company.Project(t)
		e.Do(t, apitest.Call{Method: http.MethodDelete, Path: projectPath(p.ProjectID), As: e.company.Owner}).Require(t, http.StatusOK)
		require.Equal(t, "archived", e.Do(t, get(p.ProjectID)).Require(t, http.StatusOK).Text(t, "project.status"))
	})
	t.Run("401, 403 and 404", func(t *testing.T) {
		t.Parallel()
		e.AccessRefusals(t, get(e.project.ProjectID), path)
	})
}

func TestGetDeployReadiness(t *testing.T) {
	t.Parallel()
	env := setupBare(t, "getDeployReadiness")
	company := env.Company(t, "pro")
	path := func(projectID string) string { return projectPath(projectID) + "/deploy-readiness" }
	get := func(projectID string) apitest.Call {
		return apitest.Call{Method: http.MethodGet, Path: path(projectID), As: company.Member(t, authn.RoleMember)}
	}
	deploy := func(projectID string) apitest.Call {
		return apitest.Call{Method: http.MethodPost, Path: projectPath(projectID) + "/deploy", As: company.Owner}
	}

	t.Run("200 with warnings", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		a := env.Do(t, get(p.ProjectID)).Require(t, http.StatusOK)
		require.Equal(t, true, a.Get(t, "ready"))
		require.Equal(t, []any{}, a.Get(t, "blockers"))
		require.Equal(t, []any{"has_documents", "documents_indexed", "allowed_origins", "prompt_tests_passing"}, a.Get(t, "warnings"))
		checks, _ := a.Get(t, "checks").([]any)
		require.Len(t, checks, 8)
		for _, c := range checks {
			check, _ := c.(object)
			require.NotEmpty(t, check["message"])
			require.Equal(t, check["status"] == "pass", check["action"] == nil, "%v", check)
		}
		env.Do(t, deploy(p.ProjectID)).Require(t, http.StatusOK)
	})
	t.Run("200 with a blocker, as deploy says", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t, "https://www.example.com")
		company.Document(t, p.ProjectID, "failed")
		a := env.Do(t, get(p.ProjectID)).Require(t, http.StatusOK)
		require.Equal(t, false, a.Get(t, "ready"))
		require.Equal(t, []any{"no_failed_documents"}, a.Get(t, "blockers"))
		refused := env.Do(t, deploy(p.ProjectID)).RequireError(t, http.StatusConflict, "not_ready")
		require.Equal(t, a.Get(t, "blockers"), refused.Get(t, "blockers"))
		company.Document(t, p.ProjectID, "indexed")
		a = env.Do(t, get(p.ProjectID)).Require(t, http.StatusOK)
		require.Equal(t, []any{"documents_indexed", "no_failed_documents", "prompt_tests_passing"}, a.Get(t, "warnings"))
		env.Do(t, deploy(p.ProjectID)).Require(t, http.StatusOK)
	})
	t.Run("401, 403 and 404", func(t *testing.T) {
		t.Parallel()
		env.AccessRefusals(t, get(company.Project(t).ProjectID), path)
	})
}
