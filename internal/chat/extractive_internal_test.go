package chat

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/provider/llm"
)

func TestTruncate(t *testing.T) {
	t.Parallel()
	const (
		one   = "The warranty lasts 24 months [1]."
		two   = " See:\n\n```\nkeep [2]. whole\n```"
		three = " The workshop is open [3]."
	)
	for maxTokens, want := range map[int]string{0: one + two + three, 1: one, 8: one, 15: one, 16: one + two, 100: one + two + three} {
		a := llm.Answer{Text: one + two + three, Citations: []llm.Citation{{End: len(one)}, {End: len(one + two)}, {End: len(one + two + three)}}}
		truncate(&a, maxTokens)
		require.Equal(t, want, a.Text, "%d tokens", maxTokens)
		require.Equal(t, len(want), a.Citations[len(a.Citations)-1].End)
	}
	var none llm.Answer
	truncate(&none, 1)
	require.Zero(t, none)
}
