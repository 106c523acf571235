package chat

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/records"
	"docqa/internal/retrieval"
)

func TestSources(t *testing.T) {
	t.Parallel()
	passages := make([]retrieval.Passage, 2)
	for _, tt := range []struct {
		name, answer string
		want         map[int][]records.Span
	}{
		{"no marker", "It lasts.", map[int][]records.Span{}},
		{"one sentence", "It lasts [1].", map[int][]records.Span{1: {{Start: 0, End: 13}}}},
		{"code points", "Fünf Jahre. Für Räder [2].", map[int][]records.Span{2: {{Start: 12, End: 26}}}},
		{"two markers of one sentence", "A b c [1][2]. D e f [1].", map[int][]records.Span{1: {{Start: 0, End: 13}, {Start: 14, End: 24}}, 2: {{Start: 0, End: 13}}}},
		{"the same marker twice in a sentence", "A [1] b [1].", map[int][]records.Span{1: {{Start: 0, End: 12}}}},
		{"no such passage", "A [3] b [0] c [x] d [99999999999] e [", map[int][]records.Span{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := map[int][]records.Span{}
			for _, s := range sources(tt.answer, passages) {
				got[s.Index] = s.Spans
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func TestPreview(t *testing.T) {
	t.Parallel()
	require.Equal(t, "short", preview("short"))
	long := make([]rune, 400)
	for i := range long {
		long[i] = 'é'
	}
	require.Len(t, []rune(preview(string(long))), previewLength)
}
