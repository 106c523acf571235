package mainapi_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/testkit/apitest"
)

// TestChat_quotesItsEvidence: wherever sources are shown, they name what the answer quotes.
func TestChat_quotesItsEvidence(t *testing.T) {
	t.Parallel()
	e := setup(t)
	key := e.company.Key(t, e.project.ProjectID, "integration", "live")
	const sentence = "The warranty lasts 24 months from the date of purchase."
	ask := apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: key, Body: object{"question": "How long does the warranty last?"}}
	require.Equal(t, object{"start": 0.0, "end": float64(len(sentence))}, first(t, e.Do(t, ask).Require(t, http.StatusOK).Get(t, "sources"))["quote"])

	ask.Path = "/v1/chat/stream"
	events := e.Do(t, ask).Require(t, http.StatusOK).Events(t)
	message, _ := events[0]["assistantMessageId"].(string)
	resumed := e.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/chat/stream/" + message, Key: key}).Require(t, http.StatusOK).Events(t)
	conversation, _ := events[0]["conversationId"].(string)
	stored := e.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/conversations/" + conversation, As: e.company.Owner}).Require(t, http.StatusOK)
	messages, _ := stored.Get(t, "messages").([]any)
	answer, _ := messages[1].(object)
	for name, sources := range map[string]any{"streamed": sourcesOf(events), "resumed": sourcesOf(resumed), "stored": answer["sources"]} {
		source := first(t, sources)
		require.Equal(t, object{"start": 0.0, "end": float64(len(sentence))}, source["quote"], name)
		require.Equal(t, []any{source["quote"]}, source["quotes"], name)
		require.Equal(t, []any{object{"start": 0.0, "end": float64(len(sentence) + len(" [1]"))}}, source["spans"], name)
		require.Equal(t, sentence, source["excerpt"].(string)[:len(sentence)], name) //nolint:forcetypeassert // a test
	}
}

func sourcesOf(events apitest.Events) any {
	return events[slices.IndexFunc(events, func(e map[string]any) bool { return e["type"] == "sources" })]["sources"]
}

// first returns the first source of a list.
func first(t *testing.T, list any) object {
	t.Helper()
	sources, _ := list.([]any)
	require.NotEmpty(t, sources)
	source, _ := sources[0].(object)
	return source
}
