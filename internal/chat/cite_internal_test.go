package chat

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/column"
	"docqa/internal/search"
)

func TestSources(t *testing.T) {
	t.Parallel()
	passages := make([]search.Passage, 2)
	for _, tt := range []struct {
		name, answer string
		want         map[int][]column.Span
	}{
		{"no marker", "It lasts.", map[int][]column.Span{}},
		{"one sentence", "It lasts [1].", map[int][]column.Span{1: {{Start: 0, End: 13}}}},
		{"code points", "Fünf Jahre. Für Räder [2].", map[int][]column.Span{2: {{Start: 12, End: 26}}}},
		{"two markers of one sentence", "A b c [1][2]. D e f [1].", map[int][]column.Span{1: {{Start: 0, End: 13}, {Start: 14, End: 24}}, 2: {{Start: 0, End: 13}}}},
		{"the same marker twice in a sentence", "A [1] b [1].", map[int][]column.Span{1: {{Start: 0, End: 12}}}},
		{"no such passage", "A [3] b [0] c [x] d [99999999999] e [", map[int][]column.Span{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := map[int][]column.Span{}
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

func TestNumbering(t *testing.T) {
	t.Parallel()
	passages := []search.Passage{{DocumentID: "a"}, {DocumentID: "b"}, {DocumentID: "c"}, {DocumentID: "d"}}
	for _, tt := range []struct {
		name, answer, want string
		cited              []string
	}{
		{"in order already", "A [1]. B [2].", "A [1]. B [2].", []string{"a", "b"}},
		{"by appearance", "A [4][2]. B [4]. C [1].", "A [1][2]. B [1]. C [3].", []string{"d", "b", "a"}},
		{"no such passage", "A [5] b [3] c [0].", "A [5] b [1] c [0].", []string{"c"}},
		{"no marker", "x[i] [a].", "x[i] [a].", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := numbering{passages: passages}
			var parts strings.Builder
			for part := range strings.SplitAfterSeq(tt.answer, " ") {
				parts.WriteString(x.rename(part))
			}
			require.Equal(t, tt.want, parts.String())
			require.Equal(t, tt.want, x.rename(tt.answer))
			var cited []string
			for _, p := range x.cited() {
				cited = append(cited, p.DocumentID)
			}
			require.Equal(t, tt.cited, cited)
		})
	}
}
