package embed

import (
	"container/list"
	"context"
	"sync"
)

const maxCachedText = 4 << 10 // bytes; longer ones are hardly asked twice

// Cache remembers the vectors of the texts that were asked last. Safe for concurrent use.
type Cache struct {
	embedder Embedder
	most     int

	mu     sync.Mutex
	recent *list.List // of *cached, the last asked in front
	byText map[string]*list.Element
}

type cached struct {
	text   string
	vector []float32
}

// NewCache keeps up to most vectors of e.
func NewCache(e Embedder, most int) *Cache {
	return &Cache{embedder: e, most: max(1, most), recent: list.New(), byText: make(map[string]*list.Element)}
}

// QueryAll answers the vectors of texts, which must not be changed. Those that are not
// remembered are asked for together, as questions. Errors: as Embed.
func (c *Cache) QueryAll(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var missing []int
	var ask []string
	for i, text := range texts {
		v, ok := c.find(text)
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
			c.keep(ask[i], made[i])
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

func (c *Cache) find(text string) ([]float32, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byText[text]
	if !ok {
		return nil, false
	}
	c.recent.MoveToFront(at)
	return at.Value.(*cached).vector, true
}

func (c *Cache) keep(text string, v []float32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byText[text]; ok {
		return
	}
	c.byText[text] = c.recent.PushFront(&cached{text, v})
	if c.recent.Len() > c.most {
		oldest := c.recent.Remove(c.recent.Back()).(*cached)
		delete(c.byText, oldest.text)
	}
}
