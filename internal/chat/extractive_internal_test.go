package chat

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTruncate(t *testing.T) {
	t.Parallel()
	const text = "The warranty lasts 24 months [1]. It covers faults in material [2]. The workshop is open [3]."
	for maxTokens, want := range map[int]string{
		0:   text,
		1:   "The warranty lasts 24 months [1].",
		16:  "The warranty lasts 24 months [1].",
		17:  "The warranty lasts 24 months [1]. It covers faults in material [2].",
		100: text,
	} {
		require.Equal(t, want, truncate(text, maxTokens), "%d tokens", maxTokens)
	}
	require.Empty(t, truncate("", 1))
}
