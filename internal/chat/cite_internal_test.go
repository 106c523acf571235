package chat

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/doc"
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

func TestSources_quote(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("Nothing of it is asked for. ", 12)
	table := strings.Repeat("bolt\t5 €\n", 40)
	for _, tt := range []struct {
		name, body string
		marks      []doc.Mark
		quotes     []string // what the answer quotes
		excerpt    string   // how the excerpt begins
	}{
		{"near the beginning", "Äpfel. Five years. Ten.", nil, []string{"Five years."}, "Äpfel. Five"},
		{"far from it", filler + "Bikes last. Five years. " + filler, nil, []string{"Five years."}, "Nothing of it is asked for. "},
		{"two quotations", filler + "Ten." + filler + "Five years.", nil, []string{"Five years.", "Ten."}, "Nothing of it is asked for. "},
		{
			"a block that begins near it", filler + "\n\nWarranty\n\nFive years.",
			[]doc.Mark{{End: len(filler)}, {Kind: doc.Heading, Start: len(filler) + 2, End: len(filler) + 10}, {Start: len(filler) + 12, End: len(filler) + 23}},
			[]string{"Five years."},
			"Warranty\n\nFive",
		},
		{"no sentence begins near it", strings.Repeat("and on, ", 60) + "end. Five years.", nil, []string{"Five years."}, "Five years."},
		{"rows of a table", table + "nut\t3 €\n" + table, nil, []string{"nut\t3 €"}, "bolt\t5 €\nbolt"},
		{"nothing is quoted", filler + "Five years.", nil, nil, filler},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := search.Passage{Body: tt.body, Marks: doc.Marks{List: tt.marks}, Start: 1000, End: 1000 + int32(utf8.RuneCountInString(tt.body))}
			a := llm.Answer{Text: "Yes [1].", Citations: []llm.Citation{{End: 8, Passage: 1, QuoteBegin: -1, QuoteEnd: -1}}}
			for _, q := range tt.quotes {
				at := strings.Index(tt.body, q)
				a.Citations = append(a.Citations, llm.Citation{End: 8, Passage: 1, QuoteBegin: at, QuoteEnd: at + len(q)})
			}
			list := sources(&a, &numbering{}, []search.Passage{p})
			require.Len(t, list, 1)
			s := list[0]
			require.True(t, strings.HasPrefix(s.Excerpt, tt.excerpt), s.Excerpt)
			require.True(t, strings.HasSuffix(tt.body, s.Excerpt))
			require.Equal(t, s.ExcerptSpan.End-s.ExcerptSpan.Start, utf8.RuneCountInString(s.Excerpt))
			require.ElementsMatch(t, tt.quotes, s.Quoted())
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
