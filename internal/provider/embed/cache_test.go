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
	return [][]float32{{float32(c.asked)}}, c.err
}

func (c *counting) Model() string   { return "counting" }
func (c *counting) Dimensions() int { return 1 }
func (c *counting) Close() error    { return nil }

func TestCache_Query(t *testing.T) {
	t.Parallel()
	e := &counting{}
	c := embed.NewCache(e, 2)
	ask := func(text string) int {
		v, err := c.Query(t.Context(), text)
		require.NoError(t, err)
		return int(v[0])
	}
	require.Equal(t, []int{1, 2, 1}, []int{ask("a"), ask("b"), ask("a")})
	require.Equal(t, []int{3, 1, 4}, []int{ask("c"), ask("a"), ask("b")}, "the one that was not asked for longest goes")
	long := strings.Repeat("x", 5000)
	require.Equal(t, []int{5, 6}, []int{ask(long), ask(long)}, "long texts are not kept")

	e.err = errors.New("down")
	_, err := c.Query(t.Context(), "d")
	require.ErrorIs(t, err, e.err)
	e.err = nil
	require.Equal(t, 8, ask("d"), "failures are not kept")
}
