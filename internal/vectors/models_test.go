package vectors_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/vectors"
)

// named answers vectors that say which model made them.
type named struct {
	name   string
	first  float32
	closed *int
}

func (n named) Embed(_ context.Context, texts []string) ([][]float32, error) {
	made := make([][]float32, len(texts))
	for i := range texts {
		made[i] = []float32{n.first, float32(len(texts[i]))}
	}
	return made, nil
}

func (n named) Model() string { return n.name }

func (n named) Dimensions() int { return 2 }

func (n named) Close() error { *n.closed++; return nil }

func TestModels_choosesByName(t *testing.T) {
	t.Parallel()
	closed := 0
	m := vectors.New(named{"first", 1, &closed}, named{"second", 2, &closed})
	require.Equal(t, "first", m.Default())
	require.Equal(t, []string{"first", "second"}, m.Names())
	require.True(t, m.Has("second"))
	require.False(t, m.Has("third"))
	require.Equal(t, "second", m.For("second"))
	require.Equal(t, "first", m.For("third"))
	require.Equal(t, "first", m.For(""))

	v, err := m.Query(t.Context(), "second", "abc")
	require.NoError(t, err)
	require.Equal(t, []float32{2, 3}, v)
	all, err := m.QueryAll(t.Context(), "first", []string{"a", "ab"})
	require.NoError(t, err)
	require.Equal(t, [][]float32{{1, 1}, {1, 2}}, all)
	all, err = m.Embed(t.Context(), "second", []string{"abcd"})
	require.NoError(t, err)
	require.Equal(t, [][]float32{{2, 4}}, all)
	_, err = m.Query(t.Context(), "third", "a")
	require.ErrorIs(t, err, vectors.ErrUnknown)

	require.NoError(t, m.Close())
	require.Equal(t, 2, closed)
}

func TestModels_noneIsUsable(t *testing.T) {
	t.Parallel()
	for _, m := range []*vectors.Models{nil, vectors.New()} {
		require.Empty(t, m.Default())
		require.Empty(t, m.Names())
		require.False(t, m.Has(""))
		require.Empty(t, m.For("gone"))
		_, err := m.Embed(t.Context(), "", []string{"a"})
		require.ErrorIs(t, err, vectors.ErrUnknown)
		require.NoError(t, m.Close())
	}
}

func TestPassage_putsTitleAndHeadingsInFront(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Price list\nBatteries > Home\nRegion\nNord 12",
		vectors.Passage(" Price  list", []string{"Batteries", "Home"}, "Region", "Nord 12"))
	require.Equal(t, "Only this", vectors.Passage("", nil, "", "Only this"))
}
