package postings_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/postings"
)

func TestScores(t *testing.T) {
	t.Parallel()
	warranty := postings.Pack([]postings.Posting{{Chunk: 3, Weight: 1.1}, {Chunk: 70_000, Weight: 2.2}, {Chunk: 1 << 40, Weight: 0.4}})
	years := postings.Pack([]postings.Posting{{Chunk: 3, Weight: 1.6}, {Chunk: 5, Weight: 0.0001}})
	s := postings.Scores{}
	s.Add(warranty, 2, true)
	s.Add(years, 1, true)
	require.Len(t, s, 4)
	require.InDelta(t, 2*1.1+1.6, s[3], 0.03)
	require.InDelta(t, 2*2.2, s[70_000], 0.03)
	require.InDelta(t, 2*0.4, s[1<<40], 0.03)
	require.Positive(t, s[5])
	require.Equal(t, []int64{70_000, 3, 1 << 40}, s.Best(3, 10, 0))
	require.Len(t, s.Best(100, 100, 0), 4)
	require.Equal(t, []int64{70_000, 3}, s.Best(1, 10, 1), "the second one may be as good as the first")
	require.Equal(t, []int64{70_000, 3}, s.Best(1, 2, 10), "but they are no more than so many")
	s.Drop([]int64{70_000, 7})
	require.Equal(t, []int64{3}, s.Best(1, 10, 0), "a deleted chunk is none of the best")
	s = postings.Scores{}
	s.Add(years, 1, true)
	s.Add(warranty, 2, false)
	require.Len(t, s, 2, "a chunk that holds the frequent term alone is let in no more")
	require.InDelta(t, 2*1.1+1.6, s[3], 0.03)
	require.Len(t, warranty, 2+4+7, "a posting takes little more than two bytes")
}

func FuzzScores(f *testing.F) {
	whole := postings.Pack([]postings.Posting{{Chunk: 1, Weight: 1}, {Chunk: 900, Weight: 2}})
	for cut := range whole {
		f.Add(whole[:cut])
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		s := postings.Scores{}
		s.Add(packed, 1, true)
		require.LessOrEqual(t, len(s), len(packed)/2)
	})
}
