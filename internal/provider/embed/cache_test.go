package embed_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/provider/embed"
)

// counting counts the texts that it embeds.
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
	c := embed.NewCache(e, 100)
	ask := func(text string) int {
		v, err := c.QueryAll(t.Context(), []string{text})
		require.NoError(t, err)
		return int(v[0][0])
	}
	require.Equal(t, []int{1, 2, 1}, []int{ask("a"), ask("b"), ask("a")})
	long := strings.Repeat("x", 5000)
	require.Equal(t, []int{3, 4}, []int{ask(long), ask(long)}, "long texts are not cached")

	e.err = errors.New("down")
	_, err := c.QueryAll(t.Context(), []string{"d"})
	require.ErrorIs(t, err, e.err)
	e.err = nil
	require.Equal(t, 6, ask("d"), "errors are not cached")

	all, err := c.QueryAll(t.Context(), []string{"e", "d", "f"})
	require.NoError(t, err)
	require.Equal(t, [][]float32{{7}, {6}, {8}}, all, "what is not cached is asked for in one call, each in its place")
	require.Equal(t, 8, e.asked)
}

func TestCache_QueryAll_isBounded(t *testing.T) {
	t.Parallel()
	e := &counting{}
	c := embed.NewCache(e, 10)
	texts := make([]string, 1000)
	for i := range texts {
		texts[i] = strconv.Itoa(i)
	}
	require.Eventually(t, func() bool { // the cache evicts vectors in the background
		before := e.asked
		_, err := c.QueryAll(t.Context(), texts)
		require.NoError(t, err)
		return before > 0 && e.asked-before >= len(texts)-10
	}, 10*time.Second, time.Millisecond)
}
