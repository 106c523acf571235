package search

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/chunk"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse/markdown"
	"docqa/internal/engine/sentvec"
)

// statements are the sentences of a passage: what ends with a point.
func statements(p *Passage) []sentvec.Score {
	var all []sentvec.Score
	start := -1
	for i, r := range []rune(p.Body) {
		switch {
		case r == '.':
			all = append(all, sentvec.Score{Start: start, End: i + 1})
			start = -1
		case start < 0 && !unicode.IsSpace(r):
			start = i
		}
	}
	return all
}

func TestJoin(t *testing.T) {
	t.Parallel()
	const text = "Fünf Räder. Sechs Öfen.\n\nSieben Äpfel. Acht Über."
	runes := []rune(text)
	piece := func(ordinal, start, end int32) Passage {
		return Passage{DocumentID: "d", ChunkID: int64(ordinal), ChunkIDs: []int64{int64(ordinal)}, Ordinal: ordinal, Start: start, End: end, Body: string(runes[start:end])}
	}
	first, overlapping, next, third := piece(0, 0, 23), piece(1, 12, 38), piece(1, 25, 38), piece(2, 39, 49)
	next.lead, third.lead = string(runes[23:25]), string(runes[38:39])
	third.Sentences = statements(&third)
	for _, tt := range []struct {
		name string
		a, b Passage
		want string // "" = they stay apart
	}{
		{"what both hold is shown once", first, overlapping, string(runes[:38])},
		{"in either order", overlapping, first, string(runes[:38])},
		{"white space lies between", first, next, string(runes[:38])},
		{"a chunk is missing between them", first, third, ""},
		{"another document's", first, func() Passage { p := next; p.DocumentID = "e"; return p }(), ""},
		{"another page's", first, func() Passage { p := next; p.Page = new(int32(2)); return p }(), ""},
		{"text is missing between them", piece(0, 0, 8), next, ""},
		{"what lies between them is not known", first, piece(1, 25, 38), ""},
		{"one inside the other", first, func() Passage { p := piece(1, 12, 20); return p }(), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.a.Score, tt.b.Cosine = 0.9, 0.5
			tt.a.Sentences, tt.b.Sentences = statements(&tt.a), statements(&tt.b)
			list := []Passage{tt.a}
			if tt.want == "" {
				require.False(t, join(list, &tt.b))
				require.Equal(t, tt.a, list[0])
				return
			}
			require.True(t, join(list, &tt.b))
			require.Equal(t, tt.want, list[0].Body)
			require.Equal(t, int32(0), list[0].Start)
			require.Equal(t, int32(38), list[0].End)
			require.Equal(t, int64(0), list[0].ChunkID)
			require.InDelta(t, 0.9, list[0].Score, 0)
			require.InDelta(t, 0.5, list[0].Cosine, 0, "the better of each")
			require.Len(t, list[0].ChunkIDs, 2)
			require.IsIncreasing(t, list[0].ChunkIDs)
			require.Equal(t, statements(&list[0]), list[0].Sentences, "each sentence once, where it stands now")
			require.True(t, join(list, &third))
			require.Equal(t, strings.Fields(text), strings.Fields(list[0].Body))
			require.Equal(t, statements(&list[0]), list[0].Sentences)
			fourth := piece(3, 49, 49)
			require.False(t, join(list, &fourth), "no more than three")
		})
	}
}

// TestJoin_verbatim cuts Markdown whose blocks are divided by more than white space, and joins
// the chunks as a search does.
func TestJoin_verbatim(t *testing.T) {
	t.Parallel()
	source := "# Manual\n\nIntroduction of **the whole**.\n\n---\n\n" + strings.Repeat(
		"- Äpfel are *red* and **sweet**.\n  - Birnen are `green`.\n    1. Deep one.\n    2. Deep two.\n\n***\n\n> A quotation is here.\n> > And one in it.\n\n"+
			"```go\nfunc main() {}\n```\n\n| a | b |\n|---|:--:|\n| 1 | 2 |\n\n## Part\n\nA [link](https://example.com/a) ends it: _so_.\n\n", 12)
	page := markdown.Parse(source).Pages[0]
	runes := []rune(page.Text)
	for _, o := range []chunk.Options{{Characters: 90}, {Characters: 150, Overlap: 30}, {Words: 12, Overlap: 4}, {Words: 30}} {
		chunks := chunk.Split(&doc.Document{Pages: []doc.Page{page}}, "Manual", o)
		passages := make([]Passage, len(chunks))
		for i, c := range chunks {
			passages[i] = Passage{
				DocumentID: "d", ChunkIDs: []int64{int64(i)}, Ordinal: int32(c.Ordinal), Start: int32(c.Start), End: int32(c.End), Body: c.Text, lead: c.Lead,
			}
		}
		together := 0
		for i := range passages[:len(passages)-2] {
			list := []Passage{passages[i+1]}
			if join(list, &passages[i]) && join(list, &passages[i+2]) {
				together++
			}
			require.Equal(t, string(runes[list[0].Start:list[0].End]), list[0].Body, "%+v, chunk %d", o, i)
		}
		require.Greater(t, together, len(passages)*9/10, "%+v", o)
	}
}
