package embed_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/provider/embed"
)

// counting counts the texts that it was asked for.
type counting struct {
	asked int
	err   error
}

func (c *counting) Embed(_ context.Context, texts []string) ([][]float32, error) {
	c.asked += len(texts)
	vectors := make([][]float32, len(texts))
	for i := range texts {
		vectors[i] = []float32{float32(c.asked - len(texts) + i + 1)}
	}
	return vectors, c.err
}

func (c *counting) Model() string   { return "counting" }
func (c *counting) Dimensions() int { return 1 }
func (c *counting) Close() error    { return nil }

func TestCache_QueryAll(t *testing.T) {
	t.Parallel()
	e := &counting{}
	c := embed.NewCache(e, 2)
	ask := func(text string) int {
		v, err := c.QueryAll(t.Context(), []string{text})
		require.NoError(t, err)
		return int(v[0][0])
	}
	require.Equal(t, []int{1, 2, 1}, []int{ask("a"), ask("b"), ask("a")})
	require.Equal(t, []int{3, 1, 4}, []int{ask("c"), ask("a"), ask("b")}, "the one that was not asked for longest goes")
	long := strings.Repeat("x", 5000)
	require.Equal(t, []int{5, 6}, []int{ask(long), ask(long)}, "long texts are not kept")

	e.err = errors.New("down")
	_, err := c.QueryAll(t.Context(), []string{"d"})
	require.ErrorIs(t, err, e.err)
	e.err = nil
	require.Equal(t, 8, ask("d"), "failures are not kept")

	all, err := c.QueryAll(t.Context(), []string{"e", "d", "f"})
	require.NoError(t, err)
	require.Equal(t, [][]float32{{9}, {8}, {10}}, all, "what is not remembered is asked for at once, in its place")
	require.Equal(t, 10, e.asked)
}
