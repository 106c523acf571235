package harness

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
	require.InDelta(t, paragraphs*(ParagraphWords+3), len(words), 5)
	require.NotEqual(t, Question(1), Question(2))
	paragraph := Paragraph(3)
	require.Equal(t, paragraph, Paragraph(3))
	require.NotEqual(t, paragraph, Paragraph(4))
}
