package chat

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/column"
	"docqa/internal/provider/llm"
	"docqa/internal/search"
)

func TestSources(t *testing.T) {
	t.Parallel()
	passages := []search.Passage{{DocumentID: "a"}, {DocumentID: "b"}, {DocumentID: "c"}}
	cite := func(begin, end, passage int) llm.Citation {
		return llm.Citation{Begin: begin, End: end, Passage: passage, QuoteBegin: -1, QuoteEnd: -1}
	}
	for _, tt := range []struct {
		name, text string
		citations  []llm.Citation
		want       map[string][]column.Span // by document
	}{
		{"nothing is cited", "It lasts [1].", nil, map[string][]column.Span{}},
		{"one statement", "It lasts [1].", []llm.Citation{cite(0, 13, 1)}, map[string][]column.Span{"a": {{Start: 0, End: 13}}}},
		{"code points", "Fünf Jahre. Für Räder [1].", []llm.Citation{cite(13, 29, 2)}, map[string][]column.Span{"b": {{Start: 12, End: 26}}}},
		{
			"two passages of one statement", "A b c [1][2]. D e f [1].",
			[]llm.Citation{cite(0, 13, 3), cite(0, 13, 1), cite(14, 24, 3)},
			map[string][]column.Span{"c": {{Start: 0, End: 13}, {Start: 14, End: 24}}, "a": {{Start: 0, End: 13}}},
		},
		{"the same twice in a statement", "A [1] b [1].", []llm.Citation{cite(0, 12, 1), cite(0, 12, 1)}, map[string][]column.Span{"a": {{Start: 0, End: 12}}}},
		{"an index in code is no citation", "Take `a[2]` [1].", []llm.Citation{cite(0, 16, 2)}, map[string][]column.Span{"b": {{Start: 0, End: 16}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, last := map[string][]column.Span{}, 0
			for _, s := range sources(&llm.Answer{Text: tt.text, Citations: tt.citations}, &numbering{}, passages) {
				require.Equal(t, last+1, s.Index)
				last, got[s.DocumentID] = s.Index, s.Spans
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
	var counted numbering
	for _, tt := range []struct{ passage, number int }{{4, 1}, {2, 2}, {4, 1}, {1, 3}} {
		require.Equal(t, tt.number, counted.number(tt.passage))
		require.Equal(t, tt.passage, counted.passage(tt.number))
	}
	ranked := numbering{ranks: true}
	require.Equal(t, 4, ranked.number(4))
	require.Equal(t, 4, ranked.passage(4))
}
