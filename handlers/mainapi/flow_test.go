package mainapi_test

import (
	"bufio"
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/authn"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/blobtest"
)

const handbook = `Annual leave

Every employee has 28 days of annual leave. Leave is requested in the staff portal at least two weeks ahead.

Parental leave

Parental leave lasts 16 weeks and is paid in full.
`

// TestMainJob does what the product is for, through the API alone: a company, a
// project, a file, its ingestion, a deploy, and questions with every credential.
func TestMainJob(t *testing.T) {
	t.Parallel()
	env := apitest.New(t, apitest.Options{Objects: blobtest.New(t)})
	env.Work(t)
	owner := env.User(t)
	do := func(method, path string, body any) *apitest.Answer {
		return env.Do(t, apitest.Call{Method: method, Path: path, As: owner, Body: body}).Require(t, http.StatusOK)
	}
	do(http.MethodPost, "/v1/companies", object{"name": "Example Ltd"})
	projectID := do(http.MethodPost, "/v1/projects", object{
		"name": "Handbook", "allowedOrigins": []string{"https://www.example.com"},
	}).Text(t, "project.projectId")
	documentID := env.Upload(t, owner, projectID, "staff_handbook.md", handbook)

	deployed := do(http.MethodPost, projectPath(projectID)+"/deploy", nil)
	require.Equal(t, "indexing", deployed.Text(t, "status"))
	require.Eventually(t, func() bool {
		status := do(http.MethodGet, projectPath(projectID)+"/documents/"+documentID, nil).Text(t, "document.status")
		require.NotEqual(t, "failed", status)
		return status == "indexed"
	}, 2*time.Minute, 20*time.Millisecond)
	project := do(http.MethodPatch, projectPath(projectID), object{"shareEnabled": true})
	require.Equal(t, "live", project.Text(t, "project.status"))
	require.InDelta(t, 1, project.Get(t, "project.indexedDocumentCount"), 0)
	share := do(http.MethodGet, "/v1/public/share/"+project.Text(t, "project.shareSlug"), nil)

	question := object{"question": "How many days of annual leave are there?"}
	calls := map[string]apitest.Call{
		"integration key": {Path: "/v1/chat", Key: deployed.Text(t, "keys.integration.secret")},
		"bearer key":      {Path: "/v1/chat", Token: deployed.Text(t, "keys.integration.secret")},
		"embed key":       {Path: "/v1/chat", Key: deployed.Text(t, "keys.embed.secret"), Origin: "https://www.example.com"},
		"share token":     {Path: "/v1/chat", Share: share.Text(t, "shareToken")},
		"signed in":       {Path: projectPath(projectID) + "/chat", As: owner},
	}
	for name, call := range calls {
		call.Method, call.Body = http.MethodPost, question
		a := env.Do(t, call).Require(t, http.StatusOK)
		require.Contains(t, a.Text(t, "answer"), "28 days", name)
		sources, _ := a.Get(t, "sources").([]any)
		require.NotEmpty(t, sources, name)
		source, _ := sources[0].(object)
		require.Equal(t, "staff handbook", source["documentTitle"])
		require.Equal(t, documentID, source["documentId"])
		require.Contains(t, flat(handbook), flat(source["excerpt"].(string))) //nolint:forcetypeassert // a test

		call.Path += "/stream"
		frames := stream(t, env.Do(t, call).Require(t, http.StatusOK))
		require.Contains(t, frames, "chunk", name)
		require.Equal(t, "done", frames[len(frames)-1], name)
	}
	embed := calls["embed key"]
	embed.Method, embed.Body, embed.Origin = http.MethodPost, question, "https://evil.example.com"
	env.Do(t, embed).RequireError(t, http.StatusForbidden, "origin_not_allowed")

	conversationsAreStored(t, env, owner, projectID, 2*len(calls))
	do(http.MethodDelete, projectPath(projectID), nil)
	gone := calls["integration key"]
	gone.Method, gone.Body = http.MethodPost, question
	env.Do(t, gone).RequireError(t, http.StatusUnauthorized, "invalid_key")
}

func conversationsAreStored(t *testing.T, env *apitest.Env, owner *apitest.User, projectID string, want int) {
	t.Helper()
	env.Cover(t, "listConversations", "getConversation", "listProjectConversations", "getProjectConversation")
	var list struct {
		Conversations []struct{ ConversationID string }
	}
	everywhere := apitest.Call{Method: http.MethodGet, Path: "/v1/conversations", As: owner}
	env.Do(t, everywhere).Require(t, http.StatusOK).Into(t, &list)
	require.Len(t, list.Conversations, want)
	here := apitest.Call{Method: http.MethodGet, Path: under("/conversations")(projectID), As: owner}
	env.Do(t, here).Require(t, http.StatusOK).Into(t, &list)
	require.Len(t, list.Conversations, want)
	id := list.Conversations[0].ConversationID
	for _, path := range []string{"/v1/conversations/" + id, under("/conversations/" + id)(projectID)} {
		one := apitest.Call{Method: http.MethodGet, Path: path, As: owner}
		var page struct {
			Messages []struct{ Role, Content string }
		}
		env.Do(t, one).Require(t, http.StatusOK).Into(t, &page)
		require.Len(t, page.Messages, 2)
		require.Equal(t, "user", page.Messages[0].Role)
		one.Path += "?cursor=nonsense"
		env.Do(t, one).RequireError(t, http.StatusBadRequest, "invalid_cursor")
		one.Path = strings.TrimSuffix(one.Path, "?cursor=nonsense")
		env.Refusals(t, one)
		one.As = env.Company(t, "free").Member(t, authn.RoleMember)
		env.Do(t, one).RequireError(t, http.StatusNotFound, "not_found")
		one.As = env.User(t)
		env.Do(t, one).RequireError(t, http.StatusForbidden, "company_required")
	}
	env.AccessRefusals(t, here, under("/conversations"))
	env.Refusals(t, everywhere)
	for _, call := range []apitest.Call{everywhere, here} {
		call.Path += "?cursor=nonsense"
		env.Do(t, call).RequireError(t, http.StatusBadRequest, "invalid_cursor")
	}
	everywhere.As = env.User(t)
	env.Do(t, everywhere).RequireError(t, http.StatusForbidden, "company_required")
}

// stream returns the types of the frames.
func stream(t *testing.T, a *apitest.Answer) (types []string) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(a.Body))
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		frame := &apitest.Answer{Body: []byte(data)}
		types = append(types, frame.Text(t, "type"))
	}
	return types
}

func flat(s string) string { return strings.Join(strings.Fields(s), " ") }
