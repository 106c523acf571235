package mainapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/authn"
	"docqa/internal/testkit/apitest"
)

func TestUpdateProject(t *testing.T) {
	t.Parallel()
	env := setupBare(t, "updateProject")
	company := env.Company(t, "pro")
	patch := func(u *apitest.User, projectID string, body any) apitest.Call {
		return apitest.Call{Method: http.MethodPatch, Path: projectPath(projectID), As: u, Body: body}
	}

	t.Run("200", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		admin := company.Member(t, authn.RoleAdmin)
		a := env.Do(t, patch(admin, p.ProjectID, object{
			"name": "New name", "allowedOrigins": []string{"http://localhost:3000"}, "chatModelArn": apitest.OtherModel,
			"settings": object{
				"retrieval": object{"topK": 12, "metadataFilter": object{"team": []string{"hr"}, "year": 2026}},
				"prompt":    object{"answerLanguage": "en", "tone": "warm"},
			},
			"hideServiceBranding": true, "shareEnabled": true, "accessMode": "private", "escalationEmail": "help@example.com",
			"escalationWebhookUrl": "https://hooks.example.com/e", "escalationWebhookSecret": "hush",
			"leadCaptureEnabled": true, "leadAlertWebhookUrl": "https://hooks.example.com/l", "leadAlertWebhookSecret": "hush",
			"leadFormFields":  []object{{"key": "size", "label": "Size", "type": "select", "options": []string{"s", "m"}, "required": true}},
			"feedbackEnabled": false,
		})).Require(t, http.StatusOK)
		wants := object{
			"name": "New name", "allowedOrigins": []any{"http://localhost:3000"}, "chatModelArn": apitest.OtherModel,
			"hideServiceBranding": true, "shareEnabled": true, "accessMode": "private", "escalationEmail": "help@example.com",
			"escalationWebhookUrl": "https://hooks.example.com/e", "escalationSecretConfigured": true, "leadCaptureEnabled": true,
			"leadAlertWebhookUrl": "https://hooks.example.com/l", "leadAlertSecretConfigured": true, "feedbackEnabled": false,
			"settings.leadCapture.enabled": true, "settings.leadCapture.alertWebhookUrl": "https://hooks.example.com/l",
			"settings.retrieval.topK": 12.0, "settings.retrieval.mode": "hybrid", "settings.prompt.tone": "warm",
			"settings.retrieval.metadataFilter": object{"team": []any{"hr"}, "year": 2026.0},
			"leadFormFields": []any{object{
				"key": "size", "label": "Size", "type": "select", "options": []any{"s", "m"}, "required": true,
			}},
		}
		for member, want := range wants {
			require.Equal(t, want, a.Get(t, "project."+member), member)
		}
		require.NotContains(t, string(a.Body), "hush")
		require.NotEmpty(t, a.Text(t, "project.shareSlug"))

		a = env.Do(t, patch(admin, p.ProjectID, object{
			"escalationWebhookUrl": nil, "escalationWebhookSecret": nil, "escalationEmail": nil, "chatModelArn": nil,
			"settings": object{"leadCapture": object{"enabled": false, "alertWebhookUrl": nil}, "prompt": object{"tone": nil}},
		})).Require(t, http.StatusOK)
		wants = object{
			"escalationWebhookUrl": nil, "escalationSecretConfigured": false, "escalationEmail": nil, "chatModelArn": "extractive",
			"leadCaptureEnabled": false, "leadAlertWebhookUrl": nil, "settings.prompt.tone": nil, "settings.prompt.answerLanguage": "en",
			"settings.retrieval.topK": 12.0,
		}
		for member, want := range wants {
			require.Equal(t, want, a.Get(t, "project."+member), member)
		}
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		for _, body := range []object{
			{"name": ""},
			{"name": nil},
			{"allowedOrigins": nil},
			{"chatModelArn": "no-such-model"},
			{"shareSlug": "No"},
			{"settings": object{"retrieval": object{"topK": "many"}}},
			{"settings": object{"prompt": object{"unknown": true}}},
			{"settings": object{"retrieval": object{"metadataFilter": object{"a": object{"b": 1}}}}},
			{"escalationEmail": "nobody"},
			{"accessMode": "secret"},
			{"leadFormFields": []object{{"key": "Bad", "label": "x", "type": "text"}}},
		} {
			env.Do(t, patch(company.Owner, p.ProjectID, body)).RequireError(t, http.StatusBadRequest, "validation_error")
		}
		for url, code := range map[string]string{
			"http://hooks.example.com/": "url_not_allowed", "https://inside.example.com/": "url_not_allowed",
			"https://127.0.0.1/": "url_not_allowed", "https://nowhere.invalid/": "url_not_allowed", "hooks": "invalid_url",
		} {
			for _, member := range []string{"escalationWebhookUrl", "leadAlertWebhookUrl"} {
				env.Do(t, patch(company.Owner, p.ProjectID, object{member: url})).RequireError(t, http.StatusBadRequest, code)
			}
		}
	})
	t.Run("401, 413 and 415", func(t *testing.T) {
		t.Parallel()
		env.Refusals(t, patch(company.Owner, company.Project(t).ProjectID, object{"name": "x"}))
	})
	t.Run("403", func(t *testing.T) {
		t.Parallel()
		member := company.Member(t, authn.RoleMember)
		env.Do(t, patch(member, company.Project(t).ProjectID, object{"name": "x"})).RequireError(t, http.StatusForbidden, "role_required")
		small := env.Company(t, "free")
		p := small.Project(t)
		for _, body := range []object{
			{"chatModelArn": apitest.OtherModel},
			{"hideServiceBranding": true},
			{"leadFormFields": []object{{"key": "a", "label": "x", "type": "text"}}},
		} {
			env.Do(t, patch(small.Owner, p.ProjectID, body)).RequireError(t, http.StatusForbidden, "plan_required")
		}
	})
	t.Run("404", func(t *testing.T) {
		t.Parallel()
		env.ForeignProject(t, patch(company.Owner, "", object{"name": "x"}), projectPath)
		p := company.Project(t)
		env.Do(t, apitest.Call{Method: http.MethodDelete, Path: projectPath(p.ProjectID), As: company.Owner}).Require(t, http.StatusOK)
		env.Do(t, patch(company.Owner, p.ProjectID, object{"name": "x"})).RequireError(t, http.StatusNotFound, "not_found")
	})
	t.Run("409", func(t *testing.T) {
		t.Parallel()
		other := env.Company(t, "free")
		env.Do(t, patch(other.Owner, other.Project(t).ProjectID, object{"shareSlug": "ours-already"})).Require(t, http.StatusOK)
		env.Do(t, patch(company.Owner, company.Project(t).ProjectID, object{"shareSlug": "ours-already"})).
			RequireError(t, http.StatusConflict, "slug_taken")
	})
	t.Run("503", func(t *testing.T) {
		t.Parallel()
		bare := apitest.New(t, apitest.Options{WithoutKeyset: true, CountFor: env})
		owner := bare.Company(t, "free")
		a := bare.Do(t, patch(owner.Owner, owner.Project(t).ProjectID, object{"escalationWebhookSecret": "hush"}))
		a.RequireError(t, http.StatusServiceUnavailable, "not_configured")
		require.Equal(t, "ENCRYPTION_KEYSET", a.Text(t, "setting"))
	})
}

func TestDeployProject(t *testing.T) {
	t.Parallel()
	env := setupBare(t, "deployProject")
	company := env.Company(t, "enterprise")
	path := func(projectID string) string { return projectPath(projectID) + "/deploy" }
	deploy := func(u *apitest.User, projectID string) apitest.Call {
		return apitest.Call{Method: http.MethodPost, Path: path(projectID), As: u}
	}

	t.Run("200", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		company.Document(t, p.ProjectID, "uploaded")
		first := env.Do(t, deploy(company.Owner, p.ProjectID)).Require(t, http.StatusOK)
		require.Equal(t, "indexing", first.Text(t, "status"))
		require.Regexp(t, "^dep_", first.Text(t, "deploymentId"))
		require.InDelta(t, 1, first.Get(t, "documentCount"), 0)
		require.InDelta(t, 1, first.Get(t, "pendingDocumentCount"), 0)
		require.Regexp(t, "^sk_live_", first.Text(t, "keys.integration.secret"))
		require.Regexp(t, "^embed_live_", first.Text(t, "keys.embed.secret"))
		again := env.Do(t, deploy(company.Owner, p.ProjectID)).Require(t, http.StatusOK)
		require.Nil(t, again.Get(t, "keys.integration.secret"))
		require.Equal(t, first.Text(t, "keys.integration.keyId"), again.Text(t, "keys.integration.keyId"))

		empty := env.Do(t, deploy(company.Owner, company.Project(t).ProjectID)).Require(t, http.StatusOK)
		require.Equal(t, "live", empty.Text(t, "status"))
	})
	allowsAdminsOnly(t, env, company, deploy(company.Owner, ""), path)
	t.Run("409", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		company.Document(t, p.ProjectID, "failed")
		a := env.Do(t, deploy(company.Owner, p.ProjectID)).RequireError(t, http.StatusConflict, "not_ready")
		require.Equal(t, []any{"no_failed_documents"}, a.Get(t, "blockers"))
	})
}
