package mainapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/authn"
	"docqa/internal/testkit/apitest"
)

const unknownKey = "key_01jd8xw2v3k4m5n6p7q8r9s0tf"

func TestKeys(t *testing.T) {
	t.Parallel()
	env := setupBare(t, "listKeys", "listProjectKeys", "createKey", "rotateKeys", "revokeKey")
	company := env.Company(t, "enterprise")
	call := func(method, projectID, rest string, body any) apitest.Call {
		return apitest.Call{Method: method, Path: under("/keys" + rest)(projectID), As: company.Owner, Body: body}
	}

	t.Run("create 201 and 400", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		for body, prefix := range map[string]string{
			`{}`: "sk_live_", `{"environment":"test"}`: "sk_test_", `{"type":"embed"}`: "embed_live_",
			`{"type":"embed","environment":"test","label":"Shop"}`: "embed_test_",
		} {
			issue := call(http.MethodPost, p.ProjectID, "", nil)
			issue.Raw = body
			a := env.Do(t, issue).Require(t, http.StatusCreated)
			require.Regexp(t, "^"+prefix+"[0-9A-Za-z]{40}$", a.Text(t, "secret"))
			require.True(t, strings.HasPrefix(a.Text(t, "secret"), a.Text(t, "key.prefix")))
			require.True(t, strings.HasSuffix(a.Text(t, "secret"), a.Text(t, "key.last4")))
			require.Equal(t, "active", a.Text(t, "key.status"))
		}
		list := env.Do(t, call(http.MethodGet, p.ProjectID, "", nil)).Require(t, http.StatusOK)
		require.NotContains(t, string(list.Body), "secret")
		for _, body := range []object{{"environment": "prod"}, {"type": "server"}, {"label": strings.Repeat("x", 81)}} {
			env.Do(t, call(http.MethodPost, p.ProjectID, "", body)).RequireError(t, http.StatusBadRequest, "validation_error")
		}
	})
	t.Run("create 201 again with the same Idempotency-Key, 409 with another body", func(t *testing.T) {
		t.Parallel()
		issue := call(http.MethodPost, company.Project(t).ProjectID, "", object{"label": "a"})
		issue.Header = map[string]string{"Idempotency-Key": "once"}
		first := env.Do(t, issue).Require(t, http.StatusCreated)
		again := env.Do(t, issue).Require(t, http.StatusCreated)
		require.Equal(t, first.Text(t, "key.keyId"), again.Text(t, "key.keyId"))
		require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
		issue.Body = object{"label": "b"}
		env.Do(t, issue).RequireError(t, http.StatusConflict, "idempotency_mismatch")
	})
	t.Run("list 200 with filters, 400", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		company.Key(t, p.ProjectID, "integration", "test")
		list := apitest.Call{Method: http.MethodGet, Path: "/v1/keys?environment=test&projectId=" + p.ProjectID, As: company.Owner}
		var body struct{ Keys []object }
		env.Do(t, list).Require(t, http.StatusOK).Into(t, &body)
		require.Len(t, body.Keys, 1)
		require.Equal(t, "Handbook", body.Keys[0]["projectName"])
		list.Path += "&status=revoked"
		env.Do(t, list).Require(t, http.StatusOK).Into(t, &body)
		require.Empty(t, body.Keys)
		list.Path = "/v1/keys?status=" + strings.Repeat("x", 129)
		env.Do(t, list).Require(t, http.StatusBadRequest)
		here := call(http.MethodGet, p.ProjectID, "?x=%00", nil)
		env.Do(t, here).Require(t, http.StatusBadRequest)
	})
	t.Run("rotate 200 and 400", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		old := company.Key(t, p.ProjectID, "integration", "live")
		chat := apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: old, Body: object{"question": "Hello?"}}
		env.Do(t, chat).Require(t, http.StatusOK)
		a := env.Do(t, call(http.MethodPost, p.ProjectID, "/rotate", nil)).Require(t, http.StatusOK)
		require.InDelta(t, 1, a.Get(t, "revokedCount"), 0)
		env.Do(t, chat).RequireError(t, http.StatusUnauthorized, "invalid_key")
		chat.Key = a.Text(t, "keys.integration.secret")
		env.Do(t, chat).Require(t, http.StatusOK)
		bad := call(http.MethodPost, p.ProjectID, "/rotate", object{"graceSeconds": 86401})
		env.Do(t, bad).RequireError(t, http.StatusBadRequest, "validation_error")
	})
	t.Run("revoke 200, and again, and 400", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		company.Key(t, p.ProjectID, "embed", "live")
		keys, err := env.Keys.ListByProject(company.Context(t), company.ID, p.ProjectID)
		require.NoError(t, err)
		revoke := call(http.MethodDelete, p.ProjectID, "/"+keys[0].KeyID, nil)
		first := env.Do(t, revoke).Require(t, http.StatusOK)
		require.Equal(t, "revoked", first.Text(t, "key.status"))
		require.JSONEq(t, string(first.Body), string(env.Do(t, revoke).Require(t, http.StatusOK).Body))
		revoke.Path += "?x=%00"
		env.Do(t, revoke).Require(t, http.StatusBadRequest)
	})
	t.Run("401, 403, 404, 413 and 415", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		member := company.Member(t, authn.RoleMember)
		for _, c := range []struct {
			method, rest string
			body         any
		}{
			{http.MethodGet, "", nil},
			{http.MethodPost, "", object{"label": "x"}},
			{http.MethodPost, "/rotate", object{"graceSeconds": 0}},
			{http.MethodDelete, "/" + unknownKey, nil},
		} {
			good := call(c.method, p.ProjectID, c.rest, c.body)
			env.ForeignProject(t, good, under("/keys"+c.rest))
			env.Do(t, apitest.Call{Method: c.method, Path: good.Path, Body: c.body}).RequireError(t, http.StatusUnauthorized, "unauthenticated")
			good.As = member
			env.Do(t, good).RequireError(t, http.StatusForbidden, "role_required")
			if c.body == nil {
				continue
			}
			good.As, good.Type = company.Owner, "text/plain"
			env.Do(t, good).RequireError(t, http.StatusUnsupportedMediaType, "unsupported_media_type")
			good.Type, good.Body = "", object{"label": strings.Repeat("x", 1<<20)}
			env.Do(t, good).RequireError(t, http.StatusRequestEntityTooLarge, "payload_too_large")
		}
		list := apitest.Call{Method: http.MethodGet, Path: "/v1/keys", As: company.Owner}
		env.Refusals(t, list)
		list.As = member
		env.Do(t, list).RequireError(t, http.StatusForbidden, "role_required")
		env.Do(t, call(http.MethodDelete, p.ProjectID, "/"+unknownKey, nil)).RequireError(t, http.StatusNotFound, "not_found")
	})
}
