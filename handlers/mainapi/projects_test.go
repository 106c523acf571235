package mainapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/authn"
	"docqa/internal/testkit/apitest"
)

func TestCreateProject(t *testing.T) {
	t.Parallel()
	env := setupBare(t, "createProject")
	create := sends(http.MethodPost, "/v1/projects")

	t.Run("409 with a used Idempotency-Key", func(t *testing.T) {
		t.Parallel()
		owner := env.Company(t, "pro").Owner
		for i, status := range []int{http.StatusOK, http.StatusConflict} {
			call := create(owner, object{"name": fmt.Sprint("Project ", i)})
			call.Header = map[string]string{"Idempotency-Key": "k"}
			env.Do(t, call).Require(t, status)
		}
	})
	t.Run("200", func(t *testing.T) {
		t.Parallel()
		company := env.Company(t, "pro")
		member := company.Member(t, authn.RoleMember)
		a := env.Do(t, create(member, object{"name": "Employee handbook", "description": "d"})).Require(t, http.StatusOK)
		var body struct{ Project object }
		a.Into(t, &body)
		wants := object{
			"companyId": company.ID, "name": "Employee handbook", "slug": "employee-handbook", "status": "draft", "environment": "dev",
			"allowedOrigins": []any{}, "chatModelArn": "extractive", "hideServiceBranding": false, "shareEnabled": false, "shareSlug": nil,
			"accessMode": "public", "escalationWebhookUrl": nil, "escalationSecretConfigured": false, "escalationEmail": nil,
			"leadCaptureEnabled": false, "leadFormFields": []any{}, "leadAlertWebhookUrl": nil, "feedbackEnabled": true, "widgetEnabled": true,
			"documentCount": 0.0, "indexedDocumentCount": 0.0, "lastDeployedAt": nil, "createdBy": member.ID, "archivedAt": nil,
		}
		for member, want := range wants {
			require.Equal(t, want, body.Project[member], member)
		}
		require.Equal(t, "hybrid", a.Text(t, "project.settings.retrieval.mode"))
		require.Equal(t, object{}, a.Get(t, "project.settings.retrieval.metadataFilter"))
		require.Nil(t, a.Get(t, "project.settings.prompt.tone"))

		a = env.Do(t, create(company.Owner, object{
			"name": "Second", "allowedOrigins": []string{"https://WWW.example.com"}, "settings": object{
				"retrieval": object{"topK": 3}, "ipAllowlist": []string{"192.0.2.0/24"}, "leadCapture": object{"enabled": true},
			},
		})).Require(t, http.StatusOK)
		require.Equal(t, []any{"https://www.example.com"}, a.Get(t, "project.allowedOrigins"))
		require.InDelta(t, 3, a.Get(t, "project.settings.retrieval.topK"), 0)
		require.Equal(t, true, a.Get(t, "project.leadCaptureEnabled"))
		require.Equal(t, true, a.Get(t, "project.settings.leadCapture.enabled"))
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		owner := env.Company(t, "pro").Owner
		for _, body := range []object{
			{},
			{"name": ""},
			{"name": "  "},
			{"name": strings.Repeat("x", 121)},
			{"name": "x", "description": strings.Repeat("x", 1001)},
			{"name": "x", "allowedOrigins": []string{"https://*.example.com"}},
			{"name": "x", "allowedOrigins": []string{""}},
			{"name": "x", "allowedOrigins": make([]string, 51)},
			{"name": "x", "settings": object{"retrieval": object{"topK": 0}}},
			{"name": "x", "settings": object{"unknown": 1}},
			{"name": "x", "settings": object{"retrieval": object{"unknown": 1}}},
			{"name": "x", "settings": object{"ipAllowlist": []string{"nowhere"}}},
			{"name": "x", "settings": nil},
		} {
			env.Do(t, create(owner, body)).RequireError(t, http.StatusBadRequest, "validation_error")
		}
	})
	t.Run("401, 413 and 415", func(t *testing.T) {
		t.Parallel()
		env.Refusals(t, create(env.Company(t, "free").Owner, object{"name": "x"}))
	})
	t.Run("403", func(t *testing.T) {
		t.Parallel()
		company := env.Company(t, "free")
		member := company.Member(t, authn.RoleMember)
		env.Do(t, create(member, object{"name": "x", "settings": object{}})).RequireError(t, http.StatusForbidden, "role_required")
		env.Do(t, create(member, object{"name": "x", "allowedOrigins": []string{}})).RequireError(t, http.StatusForbidden, "role_required")
		env.Do(t, create(env.User(t), object{"name": "x"})).RequireError(t, http.StatusForbidden, "company_required")
		company.Project(t)
		env.Do(t, create(member, object{"name": "x"})).RequireError(t, http.StatusForbidden, "plan_limit_reached")
	})
}

func TestListProjects(t *testing.T) {
	t.Parallel()
	env := setupBare(t, "listProjects")
	list := func(u *apitest.User, query string) apitest.Call {
		return apitest.Call{Method: http.MethodGet, Path: "/v1/projects" + query, As: u}
	}

	t.Run("200", func(t *testing.T) {
		t.Parallel()
		company := env.Company(t, "pro")
		kept, gone := company.Project(t), company.Project(t)
		env.Company(t, "free").Project(t)
		company.Document(t, kept.ProjectID, "indexed")
		company.Document(t, kept.ProjectID, "pending")
		env.Do(t, apitest.Call{Method: http.MethodDelete, Path: projectPath(gone.ProjectID), As: company.Owner}).Require(t, http.StatusOK)
		for query, want := range map[string]string{"": kept.ProjectID, "?status=archived": gone.ProjectID, "?status=live": kept.ProjectID} {
			var body struct{ Projects []object }
			env.Do(t, list(company.Member(t, authn.RoleMember), query)).Require(t, http.StatusOK).Into(t, &body)
			require.Len(t, body.Projects, 1, query)
			require.Equal(t, want, body.Projects[0]["projectId"], query)
			if want == kept.ProjectID {
				require.InDelta(t, 2, body.Projects[0]["documentCount"], 0)
				require.InDelta(t, 1, body.Projects[0]["indexedDocumentCount"], 0)
			}
		}
	})
	t.Run("200 without projects", func(t *testing.T) {
		t.Parallel()
		a := env.Do(t, list(env.Company(t, "free").Owner, "")).Require(t, http.StatusOK)
		require.JSONEq(t, `{"projects":[]}`, string(a.Body))
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		env.Do(t, list(env.Company(t, "free").Owner, "?status="+strings.Repeat("x", 65))).Require(t, http.StatusBadRequest)
	})
	t.Run("401", func(t *testing.T) {
		t.Parallel()
		env.Refusals(t, list(nil, ""))
	})
	t.Run("403", func(t *testing.T) {
		t.Parallel()
		env.Do(t, list(env.User(t), "")).RequireError(t, http.StatusForbidden, "company_required")
	})
}

func TestGetProject(t *testing.T) {
	t.Parallel()
	env := setupBare(t, "getProject")
	company := env.Company(t, "pro")
	project := company.Project(t, "https://www.example.com")
	get := apitest.Call{Method: http.MethodGet, Path: projectPath(project.ProjectID), As: company.Owner}

	t.Run("200", func(t *testing.T) {
		t.Parallel()
		a := env.Do(t, get).Require(t, http.StatusOK)
		require.Equal(t, project.ProjectID, a.Text(t, "project.projectId"))
		require.Equal(t, []any{"https://www.example.com"}, a.Get(t, "project.allowedOrigins"))
	})
	t.Run("401", func(t *testing.T) {
		t.Parallel()
		env.Refusals(t, get)
	})
	t.Run("403", func(t *testing.T) {
		t.Parallel()
		env.Do(t, apitest.Call{Method: http.MethodGet, Path: get.Path, As: env.User(t)}).RequireError(t, http.StatusForbidden, "company_required")
	})
	t.Run("404", func(t *testing.T) {
		t.Parallel()
		env.ForeignProject(t, get, projectPath)
	})
}

func TestArchiveProject(t *testing.T) {
	t.Parallel()
	env := setupBare(t, "archiveProject")
	company := env.Company(t, "pro")
	archive := func(u *apitest.User, projectID string) apitest.Call {
		return apitest.Call{Method: http.MethodDelete, Path: projectPath(projectID), As: u}
	}

	t.Run("200, then 404", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		key := company.Key(t, p.ProjectID, "integration", "live")
		a := env.Do(t, archive(company.Owner, p.ProjectID)).Require(t, http.StatusOK)
		require.Equal(t, "archived", a.Text(t, "project.status"))
		require.NotNil(t, a.Get(t, "project.archivedAt"))
		env.Do(t, archive(company.Owner, p.ProjectID)).RequireError(t, http.StatusNotFound, "not_found")
		read := env.Do(t, apitest.Call{Method: http.MethodGet, Path: projectPath(p.ProjectID), As: company.Owner}).Require(t, http.StatusOK)
		require.Equal(t, "archived", read.Text(t, "project.status"))
		chat := apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: key, Body: object{"question": "Hello?"}}
		env.Do(t, chat).RequireError(t, http.StatusUnauthorized, "invalid_key")
	})
	allowsAdminsOnly(t, env, company, archive(company.Owner, ""), projectPath)
}
