package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/chat"
	"docqa/internal/engine/lexical"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/models"
	"docqa/internal/provider/llm"
	"docqa/internal/testkit/modelhost"
)

// TestWriters calls a model of every provider as the catalog names it.
func TestWriters(t *testing.T) {
	t.Parallel()
	script := modelhost.Script{Fragments: []string{"It lasts 24 months [1]."}}
	hosts := map[string]*modelhost.Host{}
	lines := []string{"models:"}
	for _, provider := range []string{models.OpenAI, models.Anthropic, models.Bedrock} {
		hosts[provider] = modelhost.New(t, provider, script)
		lines = append(lines, fmt.Sprintf("  - {id: a-%s, provider: %s, model: 'some.model-v1:0', region: eu-central-1, key_env: KEY, base_url: '%s'}",
			provider, provider, hosts[provider].URL))
	}
	read, problems := models.Read([]byte(strings.Join(lines, "\n")), func(string) (string, bool) { return "hidden-key", true })
	require.Empty(t, problems)
	w, err := writers(t.Context(), read, clock.Fixed(time.Unix(1e9, 0)))
	require.NoError(t, err)
	task := func(model string) chat.Task {
		return chat.Task{Words: lexical.NewStats().Question("How long?"), Request: llm.Request{
			Model: model, Question: "How long?", Strict: true, MaxTokens: 100,
			Passages: []llm.Passage{{Title: "Terms", Text: "The warranty lasts 24 months."}},
		}}
	}
	for provider, host := range hosts {
		got, err := w.Write(t.Context(), task("a-"+provider), func(string) {})
		require.NoError(t, err, provider)
		require.Equal(t, "It lasts 24 months [1].", got.Text)
		require.NotEmpty(t, got.Level)
		header := host.Requests()[0].Header
		require.Contains(t, []string{header.Get("Authorization"), "Bearer " + header.Get("X-Api-Key")}, "Bearer hidden-key", provider)
	}
	_, err = w.Write(t.Context(), task("gone"), nil)
	require.EqualValues(t, "provider_error", apperr.CodeOf(err))
}
