package embed

import (
	"context"

	"github.com/maypok86/otter/v2"
)

const maxCachedText = 4 << 10 // bytes; a longer question is rarely asked twice

// Cache caches the vectors of questions. Safe for concurrent use.
type Cache struct {
	embedder Embedder
	vectors  *otter.Cache[string, []float32] // by text
}

// NewCache returns a cache of up to size vectors of e. When it is full, it evicts the vectors
// that are used least.
func NewCache(e Embedder, size int) *Cache {
	return &Cache{embedder: e, vectors: otter.Must(&otter.Options[string, []float32]{MaximumSize: max(1, size)})}
}

// QueryAll returns the vectors of questions; the caller must not change them. Those that are
// not cached are made in one call. Errors: as Embed.
func (c *Cache) QueryAll(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var missing []int
	var ask []string
	for i, text := range texts {
		v, ok := c.vectors.GetIfPresent(text)
		if !ok {
			missing, ask = append(missing, i), append(ask, text)
		}
		vectors[i] = v
	}
	if len(ask) == 0 {
		return vectors, nil
	}
	made, err := c.ask(ctx, ask)
	if err != nil {
		return nil, err
	}
	for i, at := range missing {
		vectors[at] = made[i]
		if len(ask[i]) <= maxCachedText {
			c.vectors.Set(ask[i], made[i])
		}
	}
	return vectors, nil
}

func (c *Cache) ask(ctx context.Context, questions []string) ([][]float32, error) {
	if q, ok := c.embedder.(Questioner); ok {
		return q.EmbedQuestions(ctx, questions)
	}
	return c.embedder.Embed(ctx, questions)
}
