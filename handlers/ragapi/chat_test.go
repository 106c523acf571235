package ragapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/ids"
	"docqa/internal/testkit/apitest"
)

// ragCall is a call of a service.
func (c *bundle) ragCall(t *testing.T, path string, body map[string]any) *apitest.Answer {
	t.Helper()
	if _, ok := body["projectId"]; !ok {
		body["projectId"] = c.project.ProjectID
	}
	return c.Do(t, apitest.Call{Method: http.MethodPost, Path: path, Token: apitest.RagKey, Body: body})
}

// callsOf calls the operation at path.
func (c *bundle) callsOf(path string) func(t *testing.T, body map[string]any) *apitest.Answer {
	return func(t *testing.T, body map[string]any) *apitest.Answer {
		t.Helper()
		return c.ragCall(t, path, body)
	}
}

func TestRagChat(t *testing.T) {
	t.Parallel()
	e := setupShop(t)
	e.Cover(t, "ragChat")
	ask := e.callsOf("/v1/rag/chat")
	t.Run("200", func(t *testing.T) {
		t.Parallel()
		a := ask(t, map[string]any{"question": " How long does the warranty last? "}).Require(t, http.StatusOK)
		require.Contains(t, a.Text(t, "answer"), "24 months")
		require.Equal(t, true, a.Get(t, "answered"))
		require.Positive(t, a.Get(t, "usage.completionTokens"))
		sources, _ := a.Get(t, "sources").([]any)
		require.NotEmpty(t, sources)
		first, _ := sources[0].(map[string]any)
		require.InDelta(t, 1, first["index"], 0)
		id, _ := first["chunkId"].(string)
		require.True(t, ids.Valid(ids.Chunk, id), "%s is opaque, and no number of the database's", id)
		found := e.ragCall(t, "/v1/rag/search", map[string]any{"query": "How long does the warranty last?"}).Require(t, http.StatusOK)
		require.Contains(t, string(found.Body), id, "the same for the same passage")
		require.Contains(t, first["documentId"], "doc_")
		require.NotEmpty(t, first["spans"])
		require.Equal(t, map[string]any{"start": 0.0, "end": 55.0}, first["quote"])
		require.Equal(t, []any{first["quote"]}, first["quotes"])
		require.Contains(t, a.Text(t, "answer"), "[1]")
		require.Nil(t, first["sourceUrl"])
	})
	t.Run("history counts", func(t *testing.T) {
		t.Parallel()
		alone := ask(t, map[string]any{"question": "And to Iceland, how many days?"}).Require(t, http.StatusOK)
		require.NotNil(t, alone.Get(t, "answered"))
		a := ask(t, map[string]any{"question": "And to Iceland, how many days?", "history": []map[string]any{
			{"role": "user", "content": "How long does delivery take?"}, {"role": "assistant", "content": "Three working days."},
		}}).Require(t, http.StatusOK)
		require.Contains(t, a.Text(t, "answer"), "five working days")
	})
	t.Run("no answer", func(t *testing.T) {
		t.Parallel()
		a := ask(t, map[string]any{"question": "Which planets have rings?"}).Require(t, http.StatusOK)
		require.Equal(t, false, a.Get(t, "answered"))
		require.Equal(t, []any{}, a.Get(t, "sources"))
		require.Equal(t, e.project.Settings.Prompt.NoAnswerMessage, a.Text(t, "answer"))
		narrowed := ask(t, map[string]any{"question": "How long does the warranty last?", "filters": map[string]any{"lang": "en"}})
		require.Equal(t, false, narrowed.Require(t, http.StatusOK).Get(t, "answered"))
	})
	t.Run("nothing is stored or counted", func(t *testing.T) {
		t.Parallel()
		quiet := e.company.Project(t)
		a := ask(t, map[string]any{"projectId": quiet.ProjectID, "question": "Is anything kept?"}).Require(t, http.StatusOK)
		require.Equal(t, false, a.Get(t, "answered"))
		var n int
		require.NoError(t, e.Store.Pool().QueryRow(e.company.Context(t),
			"select (select count(*) from conversations) + (select count(*) from usage_shards)").Scan(&n))
		require.Zero(t, n)
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		for _, body := range []map[string]any{
			{"question": "  "},
			{},
			{"question": strings.Repeat("x", 4001)},
			{"question": "q", "topK": 51},
			{"question": "q", "mode": "lexical"},
			{"question": "q", "history": make([]map[string]any, 21)},
			{"question": "q", "history": []map[string]any{{"role": "system", "content": "x"}}},
		} {
			ask(t, body).RequireError(t, http.StatusBadRequest, "validation_error")
		}
	})
	t.Run("401, 413 and 415", func(t *testing.T) {
		t.Parallel()
		e.Refusals(t, apitest.Call{
			Method: http.MethodPost, Path: "/v1/rag/chat", Token: apitest.RagKey, Body: map[string]any{"projectId": e.project.ProjectID, "question": "q"},
		})
	})
	t.Run("403", func(t *testing.T) {
		t.Parallel()
		poor := e.Company(t, "free")
		project := poor.Project(t)
		_, err := e.Store.Pool().Exec(poor.Context(t), "update companies set status = 'suspended' where company_id = $1", poor.ID)
		require.NoError(t, err)
		ask(t, map[string]any{"projectId": project.ProjectID, "question": "q"}).RequireError(t, http.StatusForbidden, "company_suspended")
	})
	t.Run("404", func(t *testing.T) {
		t.Parallel()
		archived := e.company.Project(t)
		_, err := e.Projects.Archive(e.company.Context(t), e.company.ID, archived.ProjectID)
		require.NoError(t, err)
		for _, id := range []string{ids.New(ids.Project), "x", archived.ProjectID} {
			ask(t, map[string]any{"projectId": id, "question": "q"}).RequireError(t, http.StatusNotFound, "not_found")
		}
	})
	t.Run("502 and 504", func(t *testing.T) {
		t.Parallel()
		ask(t, map[string]any{"question": "break"}).RequireError(t, http.StatusBadGateway, "provider_error")
		ask(t, map[string]any{"question": "hang"}).RequireError(t, http.StatusGatewayTimeout, "provider_timeout")
	})
	t.Run("503", func(t *testing.T) {
		t.Parallel()
		without := &bundle{Env: apitest.New(t, apitest.Options{CountFor: e.Env, WithoutRagKey: true}), project: e.project}
		without.ragCall(t, "/v1/rag/chat", map[string]any{"question": "q"}).RequireError(t, http.StatusServiceUnavailable, "not_configured")
	})
}

func TestRagChatStream(t *testing.T) {
	t.Parallel()
	e := setupShop(t)
	ask := e.callsOf("/v1/rag/chat/stream")
	t.Run("an answer", func(t *testing.T) {
		t.Parallel()
		a := ask(t, map[string]any{"question": "How long does the warranty last?"}).Require(t, http.StatusOK)
		require.NotContains(t, string(a.Body), "id: ")
		list := a.Events(t)
		require.Equal(t, []string{"status retrieving", "status reranking", "status generating", "sources", "token", "done"}, list.Types())
		require.Contains(t, list.Text("token"), "24 months")
		var sources []any
		for _, event := range list {
			if event["type"] == "sources" {
				sources, _ = event["sources"].([]any)
			}
		}
		for i, s := range sources {
			source, _ := s.(map[string]any)
			require.InDelta(t, i+1, source["index"], 0)
			require.Equal(t, []any{}, source["spans"])
			require.Nil(t, source["quote"])
		}
		cited, _ := list[len(list)-1]["sources"].([]any)
		require.Len(t, cited, 1)
		source, _ := cited[0].(map[string]any)
		require.Equal(t, map[string]any{"start": 0.0, "end": 55.0}, source["quote"])
		require.NotEmpty(t, source["spans"])
		require.Contains(t, list.Text("token"), "[1]")
		require.Positive(t, list[len(list)-1]["usage"].(map[string]any)["completionTokens"])
	})
	t.Run("no answer, with history", func(t *testing.T) {
		t.Parallel()
		list := ask(t, map[string]any{
			"question": "Which planets have rings?", "history": []map[string]any{{"role": "user", "content": "Hello"}},
		}).Require(t, http.StatusOK).Events(t)
		require.Equal(t, []string{"status rewriting", "status retrieving", "status generating", "sources", "token", "done"}, list.Types())
		require.Equal(t, []any{}, list[3]["sources"])
		require.Equal(t, e.project.Settings.Prompt.NoAnswerMessage, list.Text("token"))
	})
	t.Run("a failure after the first frame", func(t *testing.T) {
		t.Parallel()
		list := ask(t, map[string]any{"question": "break"}).Require(t, http.StatusOK).Events(t)
		require.Equal(t, []string{"status retrieving", "status generating", "error"}, list.Types())
		require.Equal(t, "provider_error", list[2]["code"])
	})
	t.Run("refusals come before the first frame", func(t *testing.T) {
		t.Parallel()
		ask(t, map[string]any{"question": " "}).RequireError(t, http.StatusBadRequest, "validation_error")
		ask(t, map[string]any{"projectId": ids.New(ids.Project), "question": "q"}).RequireError(t, http.StatusNotFound, "not_found")
	})
}

func TestRagDefaults(t *testing.T) {
	t.Parallel()
	e := apitest.New(t, apitest.Options{})
	a := e.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/rag/config/defaults", Token: apitest.RagKey}).Require(t, http.StatusOK)
	require.Equal(t, "hybrid", a.Text(t, "mode"))
	require.InDelta(t, 10, a.Get(t, "topK"), 0)
	require.InDelta(t, 50, a.Get(t, "maxBatch"), 0)
	require.InDelta(t, 50<<20, a.Get(t, "maxDocumentBytes"), 0)
	require.Nil(t, a.Get(t, "rerankModel"))
	e.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/rag/config/defaults"}).Require(t, http.StatusUnauthorized)
}

func TestRagProjectStats(t *testing.T) {
	t.Parallel()
	e := setupShop(t)
	stats := func(t *testing.T, id string) *apitest.Answer {
		t.Helper()
		return e.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/rag/projects/" + id + "/stats", Token: apitest.RagKey})
	}
	_, err := e.Store.Pool().Exec(e.company.Context(t), "update documents set status = 'indexed', indexed_at = now(), chunk_count = 2, size_bytes = 524288")
	require.NoError(t, err)
	e.company.Document(t, e.project.ProjectID, "failed")
	e.company.Document(t, e.project.ProjectID, "processing")
	e.company.Document(t, e.project.ProjectID, "uploaded")
	e.company.Document(t, e.project.ProjectID, "deleting")
	a := stats(t, e.project.ProjectID).Require(t, http.StatusOK)
	require.Equal(t, map[string]any{"total": 5.0, "indexed": 2.0, "processing": 1.0, "failed": 1.0}, a.Get(t, "documents"))
	require.InDelta(t, 4, a.Get(t, "chunks"), 0)
	require.InDelta(t, 70, a.Get(t, "tokens"), 10)
	require.InDelta(t, 1, a.Get(t, "storageMb"), 0)
	require.NotNil(t, a.Get(t, "lastIndexedAt"))
	empty := stats(t, e.company.Project(t).ProjectID).Require(t, http.StatusOK)
	require.InDelta(t, 0, empty.Get(t, "tokens"), 0)
	require.Nil(t, empty.Get(t, "lastIndexedAt"))
	for _, id := range []string{ids.New(ids.Project), "prj_x"} {
		stats(t, id).RequireError(t, http.StatusNotFound, "not_found")
	}
}
