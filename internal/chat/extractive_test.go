package chat_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/chat"
	"docqa/internal/engine/lexical"
	"docqa/internal/provider/llm"
	"docqa/internal/search"
)

func TestExtractive(t *testing.T) {
	t.Parallel()
	write := func(t *testing.T, question string, passages ...llm.Passage) (llm.Answer, []string) {
		t.Helper()
		stats := lexical.NewStats()
		index := lexical.NewIndexer(lexical.English)
		for _, p := range passages {
			stats.Add(index.Terms(lexical.Passage{Title: p.Title, Body: p.Text}))
		}
		var parts []string
		task := chat.Task{Request: llm.Request{Question: question, Passages: passages}, Words: stats.Question(question)}
		for range passages {
			task.Found = append(task.Found, search.Passage{Lexical: 1})
		}
		got, err := chat.Extractive().Write(t.Context(), task, func(part string) { parts = append(parts, part) })
		require.NoError(t, err)
		whole, err := chat.Extractive().Write(t.Context(), task, nil)
		require.NoError(t, err)
		require.Equal(t, got, whole)
		return got, parts
	}
	passages := []llm.Passage{
		{Title: "warranty terms", Text: "The warranty lasts 24 months from the date of purchase.[12] It covers faults in material."},
		{Title: "delivery", Text: "Delivery takes three working days. The warranty desk is closed on Sundays [3]."},
	}
	t.Run("answers with a sentence and its number", func(t *testing.T) {
		t.Parallel()
		got, parts := write(t, "How long does the warranty last?", passages...)
		require.True(t, got.Answered)
		require.Contains(t, got.Text, "The warranty lasts 24 months from the date of purchase [1].")
		require.NotContains(t, got.Text, "[12]", "a document's own numbers name no passage")
		require.Equal(t, got.Text, strings.Join(parts, ""))
		require.Greater(t, len(parts), 1)
		require.Positive(t, got.Usage.PromptTokens)
		require.Positive(t, got.Usage.CompletionTokens)
		require.NotEqual(t, "none", got.Level)
	})
	t.Run("says so when there is no answer", func(t *testing.T) {
		t.Parallel()
		got, parts := write(t, "Which planets have rings of ice?", passages...)
		require.False(t, got.Answered)
		require.Empty(t, got.Text)
		require.Empty(t, parts)
		require.Equal(t, "none", got.Level)
	})
	t.Run("has nothing to say without passages", func(t *testing.T) {
		t.Parallel()
		got, _ := write(t, "How long does the warranty last?")
		require.False(t, got.Answered)
	})
}
