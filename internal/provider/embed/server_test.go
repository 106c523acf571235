package embed_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
)

// speaks answers as the protocol says: for each text a vector that holds its length, in
// reverse order.
func speaks(t *testing.T, w http.ResponseWriter, r *http.Request) {
	t.Helper()
	var q struct {
		Model  string   `json:"model"`
		Input  []string `json:"input"`
		Format string   `json:"encoding_format"`
	}
	if json.NewDecoder(r.Body).Decode(&q) != nil || q.Model != "m" || q.Format != "float" || r.URL.Path != "/v1/embeddings" ||
		r.Header.Get("Authorization") != "Bearer secret" || len(q.Input) == 0 || len(q.Input) > 64 {
		http.Error(w, `{"error":{"message":"no","type":"invalid_request_error"}}`, http.StatusBadRequest)
		return
	}
	type datum struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	data := make([]datum, 0, len(q.Input))
	for i, text := range slices.Backward(q.Input) {
		if text == "" {
			http.Error(w, `{"error":{"message":"empty input"}}`, http.StatusBadRequest)
			return
		}
		data = append(data, datum{"embedding", i, []float32{float32(len(text)), 1, 0}})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data, "model": q.Model, "usage": map[string]int{"total_tokens": 1}})
}

func open(t *testing.T, handler http.HandlerFunc) (embed.Embedder, error) {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	setting, err := models.ParseEmbedding("openai:" + s.URL + "#m")
	require.NoError(t, err)
	return embed.Open(t.Context(), setting, embed.Options{Client: s.Client(), APIKey: "secret"})
}

func TestServer_Embed(t *testing.T) {
	t.Parallel()
	e, err := open(t, func(w http.ResponseWriter, r *http.Request) { speaks(t, w, r) })
	require.NoError(t, err)
	require.Equal(t, "m", e.Model())
	require.Equal(t, 3, e.Dimensions())
	texts := make([]string, 150)
	for i := range texts {
		texts[i] = strings.Repeat("x", i)
	}
	vectors, err := e.Embed(t.Context(), texts)
	require.NoError(t, err)
	require.Len(t, vectors, 150)
	for i, v := range vectors {
		require.InDelta(t, float64(max(i, 1)), float64(v[0]/v[1]), 0.01, "in the order of the texts")
		require.InDelta(t, 1, float64(v[0]*v[0]+v[1]*v[1]), 1e-5)
	}
	none, err := e.Embed(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, none)
	require.NoError(t, e.Close())
}

func TestServer_triesAgain(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	_, err := open(t, func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			w.Header().Set("Retry-After", "0")
			http.Error(w, "busy", http.StatusTooManyRequests)
			return
		}
		speaks(t, w, r)
	})
	require.NoError(t, err)
	require.Equal(t, int32(2), calls.Load())
}

func TestServer_nonsense(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		says   string
	}{
		"refused":        {http.StatusUnauthorized, `{}`, "401"},
		"no vectors":     {http.StatusOK, `{"data":[]}`, "0 vectors for 1 texts"},
		"an empty one":   {http.StatusOK, `{"data":[{"index":0,"embedding":[]}]}`, "0 dimensions"},
		"a zero one":     {http.StatusOK, `{"data":[{"index":0,"embedding":[0,0]}]}`, "without direction"},
		"a wrong index":  {http.StatusOK, `{"data":[{"index":7,"embedding":[1]}]}`, "index 7"},
		"another length": {http.StatusOK, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`, "2 vectors for 1 texts"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := open(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, _ = fmt.Fprint(w, c.body)
			})
			require.ErrorContains(t, err, c.says)
			require.Equal(t, apperr.KindProviderFailed, apperr.KindOf(err))
		})
	}
}

func TestServer_cancelled(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(s.Close)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := embed.Open(ctx, models.Embedding{Kind: models.OpenAIEmbedding, URL: s.URL, Model: "m"}, embed.Options{Client: s.Client()})
	require.ErrorIs(t, err, context.Canceled)
}

func TestServer_questionsGetOneAttempt(t *testing.T) {
	t.Parallel()
	var status, calls atomic.Int32
	now := clock.Fixed(time.Unix(1e9, 0))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		if code := int(status.Load()); code != 0 {
			http.Error(w, "{}", code)
			return
		}
		speaks(t, w, r)
	}))
	t.Cleanup(s.Close)
	setting, err := models.ParseEmbedding("openai:" + s.URL + "#m")
	require.NoError(t, err)
	e, err := embed.Open(t.Context(), setting, embed.Options{Client: s.Client(), APIKey: "secret", Clock: now})
	require.NoError(t, err)
	ask := func() (int32, error) {
		before := calls.Load()
		_, err := e.(embed.Questioner).EmbedQuestions(t.Context(), []string{"a?"})
		return calls.Load() - before, err
	}
	for _, step := range []struct {
		name        string
		status      int32
		pass        time.Duration
		calls       int32
		wantFailure bool
	}{
		{"it answers", 0, 0, 1, false},
		{"a refused question says nothing of the others", http.StatusBadRequest, 0, 1, true},
		{"nor does it here", 0, 0, 1, false},
		{"one attempt", http.StatusServiceUnavailable, 0, 1, true},
		{"none while it rests", 0, time.Second, 0, true},
		{"it is tried again, and has not recovered", http.StatusServiceUnavailable, time.Minute, 1, true},
		{"so that it rests again", 0, 0, 0, true},
		{"it has recovered", 0, time.Minute, 1, false},
		{"and stays so", 0, 0, 1, false},
	} {
		status.Store(step.status)
		now.Advance(step.pass)
		n, err := ask()
		require.Equal(t, step.calls, n, step.name)
		require.Equal(t, step.wantFailure, err != nil, step.name)
	}
	status.Store(http.StatusServiceUnavailable)
	before := calls.Load()
	_, err = e.Embed(t.Context(), []string{"a passage"})
	require.Error(t, err)
	require.Equal(t, int32(3), calls.Load()-before, "an ingestion is patient")
}
