package mainapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/ids"
	"docqa/internal/testkit/apitest"
)

func TestChat(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.Cover(t, "chat")
	key := e.company.Key(t, e.project.ProjectID, "integration", "live")
	for _, path := range []string{"/v1/chat", "/v1/chat/stream"} {
		ask := func(t *testing.T, key string, body any) *apitest.Answer {
			t.Helper()
			return e.Do(t, apitest.Call{Method: http.MethodPost, Path: path, Key: key, Body: body})
		}
		t.Run("200 "+path, func(t *testing.T) {
			t.Parallel()
			a := ask(t, key, map[string]any{"question": "How long does the warranty last?"}).Require(t, http.StatusOK)
			require.Contains(t, string(a.Body), "24 months")
			require.Contains(t, string(a.Body), `"documentTitle":"warranty terms"`)
			test := ask(t, e.company.Key(t, e.project.ProjectID, "integration", "test"), map[string]any{"question": "Anything?"}).Require(t, http.StatusOK)
			require.Contains(t, string(test.Body), "test answer")
		})
		t.Run("400 "+path, func(t *testing.T) {
			t.Parallel()
			for name, body := range map[string]any{
				"no question": map[string]any{}, "an empty one": map[string]any{"question": ""}, "a blank one": map[string]any{"question": "  "},
				"another type": map[string]any{"question": 7}, "an id that is too long": map[string]any{"question": "q", "sessionId": strings.Repeat("x", 129)},
			} {
				a := ask(t, key, body).RequireError(t, http.StatusBadRequest, "validation_error")
				require.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"), name)
			}
			ask(t, key, map[string]any{"question": strings.Repeat("é", 1001)}).RequireError(t, http.StatusBadRequest, "question_too_long")
		})
		t.Run("401 "+path, func(t *testing.T) {
			t.Parallel()
			ask(t, "sk_live_unknown", map[string]any{"question": "q"}).Require(t, http.StatusUnauthorized)
		})
		t.Run("403 "+path, func(t *testing.T) {
			t.Parallel()
			embed := e.company.Key(t, e.project.ProjectID, "embed", "live")
			ask(t, embed, map[string]any{"question": "q"}).RequireError(t, http.StatusForbidden, "origin_required")
		})
		t.Run("413 "+path, func(t *testing.T) {
			t.Parallel()
			ask(t, key, map[string]any{"question": strings.Repeat("x", 2<<20)}).Require(t, http.StatusRequestEntityTooLarge)
		})
		t.Run("415 "+path, func(t *testing.T) {
			t.Parallel()
			e.Do(t, apitest.Call{Method: http.MethodPost, Path: path, Key: key, Raw: "question=q", Type: "application/x-www-form-urlencoded"}).
				Require(t, http.StatusUnsupportedMediaType)
		})
	}
	t.Run("502 and 504", func(t *testing.T) {
		t.Parallel()
		for question, status := range map[string]int{"break": http.StatusBadGateway, "hang": http.StatusGatewayTimeout} {
			e.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: key, Body: map[string]any{"question": question}}).Require(t, status)
		}
	})
}

func TestDashboardChat(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.Cover(t, "dashboardChat")
	path := "/v1/projects/" + e.project.ProjectID + "/chat"
	ask := func(t *testing.T, question string) *apitest.Answer {
		t.Helper()
		return e.Do(t, apitest.Call{Method: http.MethodPost, Path: path, As: e.company.Owner, Body: map[string]any{"question": question}})
	}
	a := ask(t, "How long does the warranty last?").Require(t, http.StatusOK)
	require.Contains(t, a.Text(t, "answer"), "24 months")
	require.Nil(t, a.Get(t, "type"), "a dashboard answer has no type")
	stream := e.Do(t, apitest.Call{
		Method: http.MethodPost, Path: path + "/stream", As: e.company.Owner, Body: map[string]any{"question": "How long does the warranty last?"},
	}).Require(t, http.StatusOK)
	require.Contains(t, string(stream.Body), `"type":"done"`)
	ask(t, " ").RequireError(t, http.StatusBadRequest, "validation_error")
	ask(t, "break").RequireError(t, http.StatusBadGateway, "provider_error")
	ask(t, "hang").RequireError(t, http.StatusGatewayTimeout, "provider_timeout")
	ask(t, strings.Repeat("x", 2<<20)).Require(t, http.StatusRequestEntityTooLarge)
	e.Do(t, apitest.Call{Method: http.MethodPost, Path: path, As: e.company.Owner, Raw: "x", Type: "text/plain"}).Require(t, http.StatusUnsupportedMediaType)
	e.Do(t, apitest.Call{Method: http.MethodPost, Path: path, Body: map[string]any{"question": "q"}}).Require(t, http.StatusUnauthorized)
	e.Do(t, apitest.Call{Method: http.MethodPost, Path: path, As: e.User(t), Body: map[string]any{"question": "q"}}).
		RequireError(t, http.StatusForbidden, "company_required")
	for _, id := range []string{ids.New(ids.Project), e.Company(t, "free").Project(t).ProjectID} {
		e.Do(t, apitest.Call{
			Method: http.MethodPost, Path: "/v1/projects/" + id + "/chat", As: e.company.Owner, Body: map[string]any{"question": "q"},
		}).RequireError(t, http.StatusNotFound, "not_found")
	}
}
