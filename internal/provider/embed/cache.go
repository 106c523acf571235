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

// Query answers the vector of one text, which must not be changed. Errors: as Embed.
func (c *Cache) Query(ctx context.Context, text string) ([]float32, error) {
	if v, ok := c.find(text); ok {
		return v, nil
	}
	vectors, err := c.embedder.Embed(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	if len(text) <= maxCachedText {
		c.keep(text, vectors[0])
	}
	return vectors[0], nil
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
