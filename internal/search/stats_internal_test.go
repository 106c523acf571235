package search

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/lexical"
)

func frequency(terms int) *lexical.Stats {
	s := lexical.NewStats()
	for i := range terms {
		s.Frequency[int32(i)] = 2
	}
	return s
}

func TestStatsCache(t *testing.T) {
	t.Parallel()
	c := newStatsCache(10)
	require.Nil(t, c.get("/a"))
	c.put(&stats{projectID: "a", frequency: frequency(4)})
	c.put(&stats{projectID: "b", frequency: frequency(4)})
	require.NotNil(t, c.get("/a"), "a was used last")
	c.put(&stats{projectID: "c", frequency: frequency(4)})
	require.Nil(t, c.get("/b"), "over the bound the one that was not used for the longest time goes")
	require.NotNil(t, c.get("/a"))
	c.put(&stats{projectID: "a", frequency: frequency(1)})
	require.Equal(t, 5, c.terms, "statistics that are replaced do not count")
	c.put(&stats{projectID: "big", frequency: frequency(100)})
	require.NotNil(t, c.get("/big"), "the newest stays, whatever its size")
	require.Equal(t, 1, c.recent.Len())
	require.Equal(t, 100, c.terms)
}
