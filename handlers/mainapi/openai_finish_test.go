package mainapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/models"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/modelhost"
)

// TestCreateOpenAIChatCompletion_finishReason: the provider says why an answer ended. The
// tokens that it counts say nothing: some models count what nobody reads.
func TestCreateOpenAIChatCompletion_finishReason(t *testing.T) {
	t.Parallel()
	finish := func(t *testing.T, h *hosted, maxTokens int) (atOnce, streamed string) {
		t.Helper()
		body := map[string]any{"max_tokens": maxTokens, "messages": []any{map[string]any{"role": "user", "content": "How long does the warranty last?"}}}
		call := apitest.Call{Method: http.MethodPost, Path: "/v1/openai/chat/completions", Token: h.key, Body: body}
		choices, _ := h.Do(t, call).Require(t, http.StatusOK).Get(t, "choices").([]any)
		require.Len(t, choices, 1)
		atOnce, _ = choices[0].(map[string]any)["finish_reason"].(string)
		body["stream"] = true
		chunks := completionChunks(t, h.Do(t, call).Require(t, http.StatusOK))
		return atOnce, *chunks[len(chunks)-1].Choices[0].FinishReason
	}
	for provider, reasons := range map[string]map[string]string{
		models.OpenAI:    {"stop": "stop", "length": "length", "content_filter": "content_filter"},
		models.Anthropic: {"end_turn": "stop", "max_tokens": "length", "refusal": "content_filter"},
		models.Bedrock:   {"end_turn": "stop", "max_tokens": "length", "guardrail_intervened": "content_filter"},
	} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			h := setupHosted(t, provider, 30*time.Second)
			for reason, want := range reasons {
				h.host.Become(modelhost.Script{Fragments: []string{"The warranty lasts 24 months [1]."}, Stop: reason})
				for _, maxTokens := range []int{modelhost.CompletionTokens - 1, 1000} { // fewer than it says that it took, and more
					atOnce, streamed := finish(t, h, maxTokens)
					require.Equal(t, want, atOnce, "%s, at maxTokens %d tokens", reason, maxTokens)
					require.Equal(t, want, streamed, "%s, at maxTokens %d tokens", reason, maxTokens)
				}
			}
		})
	}
}
