package ragapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/ids"
	"docqa/internal/platform/models"
	"docqa/internal/search"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/modelhost"
)

func TestRagSearch(t *testing.T) {
	t.Parallel()
	e := setupShop(t)
	query := func(t *testing.T, body map[string]any) *apitest.Answer {
		t.Helper()
		if _, ok := body["projectId"]; !ok {
			body["projectId"] = e.project.ProjectID
		}
		return e.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/rag/search", Token: apitest.RagKey, Body: body})
	}
	results := func(t *testing.T, body map[string]any) []any {
		t.Helper()
		list, ok := query(t, body).Require(t, http.StatusOK).Get(t, "results").([]any)
		require.True(t, ok)
		return list
	}
	t.Run("200", func(t *testing.T) {
		t.Parallel()
		a := query(t, map[string]any{"query": "warranty months"}).Require(t, http.StatusOK)
		require.Equal(t, "keyword", a.Text(t, "mode"))
		require.Equal(t, false, a.Get(t, "reranked"))
		list, _ := a.Get(t, "results").([]any)
		best, _ := list[0].(map[string]any)
		require.Equal(t, "The warranty lasts 24 months from the date of purchase. It covers faults in material and workmanship.", best["excerpt"])
		require.Equal(t, map[string]any{"start": 0.0, "end": 101.0}, best["excerptSpan"])
		require.Equal(t, "warranty terms", best["documentTitle"])
		require.Equal(t, "warranty-terms.txt", best["location"])
		require.InDelta(t, 1, best["pageNumber"], 0)
		require.Nil(t, best["rerankScore"])
		require.Equal(t, map[string]any{}, best["metadata"])
		require.Equal(t, []any{map[string]any{"start": 4.0, "end": 12.0}, map[string]any{"start": 22.0, "end": 28.0}}, best["highlights"])
		require.Nil(t, results(t, map[string]any{"query": "Iceland"})[0].(map[string]any)["pageNumber"])
	})
	t.Run("semantic is answered with what there is", func(t *testing.T) {
		t.Parallel()
		for _, mode := range []string{"semantic", "hybrid", "keyword"} {
			a := query(t, map[string]any{"query": "warranty", "mode": mode, "rerank": true}).Require(t, http.StatusOK)
			require.Equal(t, "keyword", a.Text(t, "mode"), "there are no vectors")
			require.Equal(t, true, a.Get(t, "reranked"))
			list, _ := a.Get(t, "results").([]any)
			best, _ := list[0].(map[string]any)
			require.Positive(t, best["rerankScore"])
		}
	})
	t.Run("topK, threshold and filters narrow", func(t *testing.T) {
		t.Parallel()
		require.Len(t, results(t, map[string]any{"query": "warranty delivery workshop", "topK": 1}), 1)
		require.Empty(t, results(t, map[string]any{"query": "warranty", "scoreThreshold": 1}))
		require.Empty(t, results(t, map[string]any{"query": "warranty", "filters": map[string]any{"lang": []string{"fr", "de"}}}))
		require.NotEmpty(t, results(t, map[string]any{"query": "warranty", "filters": map[string]any{}}))
	})
	t.Run("documents are known by the caller's id, and found by their metadata", func(t *testing.T) {
		t.Parallel()
		_, err := e.Store.Pool().Exec(e.company.Context(t), `update documents set external_id = 'faq-1',
			metadata = '{"lang": "en", "year": 2026, "public": true}' where filename = 'warranty-terms.txt'`)
		require.NoError(t, err)
		for _, filters := range []map[string]any{{"lang": "en"}, {"lang": []string{"de", "en"}, "year": 2026}, {"public": true}, {"year": []any{1, 2026}}} {
			list := results(t, map[string]any{"query": "warranty delivery", "filters": filters})
			require.NotEmpty(t, list)
			best, _ := list[0].(map[string]any)
			require.Equal(t, "faq-1", best["documentId"])
			require.Equal(t, map[string]any{"lang": "en", "year": 2026.0, "public": true}, best["metadata"])
		}
		require.Empty(t, results(t, map[string]any{"query": "warranty", "filters": map[string]any{"year": "2026"}}))
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		for _, body := range []map[string]any{
			{"query": "  "},
			{},
			{"query": "q", "topK": 0},
			{"query": "q", "topK": 51},
			{"query": "q", "mode": "lexical"},
			{"query": "q", "scoreThreshold": 2},
			{"query": strings.Repeat("x", 8001)},
		} {
			query(t, body).RequireError(t, http.StatusBadRequest, "validation_error")
		}
	})
	t.Run("401", func(t *testing.T) {
		t.Parallel()
		for _, c := range []apitest.Call{{}, {Token: "wrong"}, {Token: e.company.Owner.Token}, {Key: e.company.Key(t, e.project.ProjectID, "integration", "live")}} {
			c.Method, c.Path, c.Body = http.MethodPost, "/v1/rag/search", map[string]any{"projectId": e.project.ProjectID, "query": "q"}
			e.Do(t, c).Require(t, http.StatusUnauthorized)
		}
	})
	t.Run("404", func(t *testing.T) {
		t.Parallel()
		for _, id := range []string{ids.New(ids.Project), "x"} {
			query(t, map[string]any{"projectId": id, "query": "q"}).RequireError(t, http.StatusNotFound, "not_found")
		}
	})
}

func TestRagHealth(t *testing.T) {
	t.Parallel()
	e := apitest.New(t, apitest.Options{})
	a := e.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/rag/health"}).Require(t, http.StatusOK)
	require.Equal(t, "ok", a.Text(t, "status"))
	require.Equal(t, map[string]any{"database": "ok", "vectorIndex": "ok", "embeddings": "disabled", "queue": "ok"}, a.Get(t, "checks"))
	require.Equal(t, map[string]any{"mode": "keyword", "models": []any{}, "reason": "no model is configured (EMBEDDINGS)"}, a.Get(t, "search"))
}

func TestRagHealth_models(t *testing.T) {
	t.Parallel()
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	m, err := search.OpenModels(t.Context(), search.ModelOptions{
		Models: []models.Embedding{{Kind: models.OpenAIEmbedding, URL: h.URL + "/v1/embeddings", Model: "m"}}, Client: http.DefaultClient,
	})
	require.NoError(t, err)
	e := apitest.New(t, apitest.Options{Models: m})
	health := func() *apitest.Answer {
		return e.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/rag/health"}).Require(t, http.StatusOK)
	}
	require.Equal(t, map[string]any{"mode": "hybrid", "models": []any{"m"}}, health().Get(t, "search"))
	require.Equal(t, "ok", health().Text(t, "status"))

	h.Become(modelhost.Script{Refusals: []int{401}})
	_, err = m.QueryAll(t.Context(), "m", []string{"how long?"})
	require.Error(t, err)
	require.Equal(t, "degraded", health().Text(t, "status"), "the model does not answer")
	require.Equal(t, "failed", health().Get(t, "checks").(map[string]any)["embeddings"])
}
