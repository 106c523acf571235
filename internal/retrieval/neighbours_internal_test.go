package retrieval

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

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
