package doc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/doc"
)

func TestMarks_Pack(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]doc.Marks{
		"none": {},
		"all members": {Markdown: true, List: []doc.Mark{
			{Kind: doc.Paragraph, Continued: true, End: 300},
			{Kind: doc.Heading, Level: 7, Start: 302, End: 310},
			{Kind: doc.Contents, Start: 310, End: 400},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := doc.Unpack(m.Pack(), 400)
			require.True(t, ok)
			require.Equal(t, m, got)
		})
	}
}

func TestUnpack_refuses(t *testing.T) {
	t.Parallel()
	good := doc.Marks{List: []doc.Mark{{Kind: doc.Code, End: 10}}}.Pack()
	for name, packed := range map[string][]byte{
		"an unknown version": append([]byte{9}, good[1:]...),
		"an unknown kind":    {1, 0xf0, 0, 1},
		"an empty block":     {1, 0, 0, 0},
		"a cut mark":         good[:len(good)-1],
		"a mark outside":     {1, 0, 0, 11},
		"a huge gap":         {1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, ok := doc.Unpack(packed, 10)
			require.False(t, ok)
		})
	}
}

func TestMarks_Join(t *testing.T) {
	t.Parallel()
	first := doc.Marks{List: []doc.Mark{{Kind: doc.Term, End: 4}, {Kind: doc.Definition, Start: 5, End: 20}}}
	for name, tt := range map[string]struct {
		second []doc.Mark
		offset int
		want   []doc.Mark // after the term
	}{
		"beside": {
			[]doc.Mark{{Kind: doc.Code, End: 7}},
			22,
			[]doc.Mark{{Kind: doc.Definition, Start: 5, End: 20}, {Kind: doc.Code, Start: 22, End: 29}},
		},
		"a block that goes on": {
			[]doc.Mark{{Kind: doc.Definition, Continued: true, End: 9}, {Kind: doc.Term, Start: 10, End: 12}},
			21,
			[]doc.Mark{{Kind: doc.Definition, Start: 5, End: 30}, {Kind: doc.Term, Start: 31, End: 33}},
		},
		"an overlap": {
			[]doc.Mark{{Kind: doc.Definition, Continued: true, End: 5}, {Kind: doc.Note, Start: 6, End: 9}},
			15,
			[]doc.Mark{{Kind: doc.Definition, Start: 5, End: 20}, {Kind: doc.Note, Start: 21, End: 24}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := first.Join(doc.Marks{List: tt.second}, tt.offset)
			require.Equal(t, first.List[0], got.List[0])
			require.Equal(t, tt.want, got.List[1:])
		})
	}
	require.Empty(t, first.Join(doc.Marks{}, 22).List, "one without marks leaves the whole without")
}

func FuzzUnpack(f *testing.F) {
	f.Add(doc.Marks{List: []doc.Mark{{Kind: doc.Code, End: 10}}}.Pack())
	f.Fuzz(func(t *testing.T, packed []byte) {
		m, ok := doc.Unpack(packed, 1000)
		if !ok {
			return
		}
		end := 0
		for _, k := range m.List {
			require.GreaterOrEqual(t, k.Start, end)
			require.Greater(t, k.End, k.Start)
			require.LessOrEqual(t, k.End, 1000)
			end = k.End
		}
	})
}
