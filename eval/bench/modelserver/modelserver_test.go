package modelserver_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/bench/modelserver"
)

func post(t *testing.T, path, body string) string {
	t.Helper()
	server := httptest.NewServer(modelserver.Handler())
	t.Cleanup(server.Close)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader(body))
	require.NoError(t, err)
	resp, err := server.Client().Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(text)
}

func TestHandler_embeddings(t *testing.T) {
	t.Parallel()
	var answer struct {
		Data []struct{ Embedding []float32 }
	}
	require.NoError(t, json.Unmarshal([]byte(post(t, "/v1/embeddings", `{"input":["one","two"]}`)), &answer))
	require.Len(t, answer.Data, 2)
	require.Equal(t, modelserver.Vector("one"), answer.Data[0].Embedding)
	require.NotEqual(t, modelserver.Vector("one"), answer.Data[1].Embedding)
}

func TestHandler_completions(t *testing.T) {
	t.Parallel()
	require.Contains(t, post(t, "/v1/chat/completions", `{"model":"fixed"}`), "quick [1] brown fox")
	stream := post(t, "/v1/chat/completions", `{"model":"fixed","stream":true}`)
	require.Contains(t, stream, `"quick "`)
	require.True(t, strings.HasSuffix(stream, "data: [DONE]\n\n"))
	paced := post(t, "/v1/chat/completions", `{"model":"paced-2","stream":true}`)
	require.Equal(t, 5, strings.Count(paced, `"delta"`), "the role, the citation, two words and the end")
}
