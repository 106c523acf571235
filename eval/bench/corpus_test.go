package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCorpus(t *testing.T) {
	t.Parallel()
	first, second := corpus(), corpus()
	require.Len(t, first, documents)
	require.Equal(t, first, second)
	words := strings.Fields(string(first["volume-01.md"]))
	require.InDelta(t, paragraphs*(paragraphWords+3), len(words), 5)
	require.NotEqual(t, question(1), question(2))
}
