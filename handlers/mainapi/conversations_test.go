package mainapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/ids"
	"docqa/internal/testkit/apitest"
)

func TestConversations(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.Cover(t, "listConversations", "listProjectConversations", "getConversation", "getProjectConversation")
	project := e.project.ProjectID
	key := e.company.Key(t, project, "integration", "live")
	other := e.Company(t, "free")
	var conversation string
	for i, body := range []map[string]any{
		{"question": "How long does the warranty last?", "visitorId": "anna"}, {"question": "Which planets have rings?", "visitorId": "ben"}, {"question": "And delivery?"},
	} {
		if i == 2 {
			body["conversationId"] = conversation
		}
		a := e.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: key, Body: body}).Require(t, http.StatusOK)
		if i == 0 {
			conversation = a.Text(t, "conversationId")
		}
	}
	get := func(t *testing.T, as *apitest.User, path string) *apitest.Answer {
		t.Helper()
		return e.Do(t, apitest.Call{Method: http.MethodGet, Path: path, As: as})
	}
	list := func(t *testing.T, path string) []any {
		t.Helper()
		items, ok := get(t, e.company.Owner, path).Require(t, http.StatusOK).Get(t, "conversations").([]any)
		require.True(t, ok)
		return items
	}
	base := "/v1/projects/" + project + "/conversations"
	t.Run("the workspace's, last updated first", func(t *testing.T) {
		t.Parallel()
		items := list(t, "/v1/conversations")
		require.Len(t, items, 2)
		first, _ := items[0].(map[string]any)
		require.Equal(t, conversation, first["conversationId"])
		require.Equal(t, "Handbook", first["projectName"])
		require.Equal(t, "How long does the warranty last?", first["preview"])
		require.InDelta(t, 4, first["messageCount"], 0)
		require.Equal(t, "public", first["channel"])
		require.Equal(t, "api_key", first["source"])
		require.Equal(t, "unreviewed", first["reviewStatus"])
		require.Nil(t, first["rating"])
	})
	t.Run("filters", func(t *testing.T) {
		t.Parallel()
		require.Len(t, list(t, "/v1/conversations?projectId="+project), 2)
		require.Empty(t, list(t, "/v1/conversations?projectId=prj_unknown"))
		require.Len(t, list(t, base+"?visitorId=ben"), 1)
		require.Empty(t, list(t, base+"?visitorId=nobody"))
	})
	t.Run("page sizes are lenient", func(t *testing.T) {
		t.Parallel()
		require.Len(t, list(t, base+"?limit=1"), 1)
		for _, limit := range []string{"0", "-1", "many", "100000000000000000000", "1.5"} {
			require.Len(t, list(t, base+"?limit="+limit), 2, limit)
		}
	})
	t.Run("cursors", func(t *testing.T) {
		t.Parallel()
		first := get(t, e.company.Owner, "/v1/conversations?limit=1").Require(t, http.StatusOK)
		next := first.Text(t, "nextCursor")
		second := get(t, e.company.Owner, "/v1/conversations?limit=1&cursor="+next).Require(t, http.StatusOK)
		require.Nil(t, second.Get(t, "nextCursor"))
		require.NotEqual(t, first.Get(t, "conversations"), second.Get(t, "conversations"))
		for _, path := range []string{"/v1/conversations?cursor=x", base + "?cursor=" + next, "/v1/conversations/" + conversation + "?cursor=x", base + "/" + conversation + "?cursor=" + next} {
			get(t, e.company.Owner, path).RequireError(t, http.StatusBadRequest, "invalid_cursor")
		}
	})
	t.Run("one with its messages", func(t *testing.T) {
		t.Parallel()
		for _, path := range []string{"/v1/conversations/" + conversation, "/v1/conversations/" + conversation + "?projectId=" + project, base + "/" + conversation} {
			a := get(t, e.company.Owner, path).Require(t, http.StatusOK)
			messages, _ := a.Get(t, "messages").([]any)
			require.Len(t, messages, 4)
			question, _ := messages[0].(map[string]any)
			answer, _ := messages[1].(map[string]any)
			require.Equal(t, "user", question["role"])
			require.Equal(t, []any{}, question["sources"])
			require.Equal(t, "answer", answer["type"])
			require.Len(t, answer["sources"], 1)
			require.Nil(t, a.Get(t, "nextCursor"))
		}
		last := get(t, e.company.Owner, "/v1/conversations/"+conversation+"?limit=1").Require(t, http.StatusOK)
		require.Len(t, last.Get(t, "messages"), 1)
		require.NotNil(t, last.Get(t, "nextCursor"))
	})
	t.Run("unknown and foreign ones are alike", func(t *testing.T) {
		t.Parallel()
		unknown := get(t, e.company.Owner, "/v1/conversations/"+ids.New(ids.Conversation)).RequireError(t, http.StatusNotFound, "not_found")
		foreign := get(t, other.Owner, "/v1/conversations/"+conversation).Require(t, http.StatusNotFound)
		require.Equal(t, string(unknown.Body), string(foreign.Body))
		get(t, e.company.Owner, "/v1/conversations/"+conversation+"?projectId="+ids.New(ids.Project)).Require(t, http.StatusNotFound)
		get(t, other.Owner, base).Require(t, http.StatusNotFound)
		get(t, other.Owner, base+"/"+conversation).Require(t, http.StatusNotFound)
		get(t, e.company.Owner, "/v1/conversations/not-an-id").Require(t, http.StatusNotFound)
		require.NotContains(t, string(get(t, other.Owner, "/v1/conversations").Require(t, http.StatusOK).Body), conversation)
	})
	for _, path := range []string{"/v1/conversations", "/v1/conversations/" + conversation, base, base + "/" + conversation} {
		e.Do(t, apitest.Call{Method: http.MethodGet, Path: path, Key: key}).Require(t, http.StatusUnauthorized)
		get(t, e.User(t), path).RequireError(t, http.StatusForbidden, "company_required")
	}
}
