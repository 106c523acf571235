package search

import (
	"container/list"
	"sync"
	"time"

	"docqa/internal/engine/lexical"
)

// mostTerms bounds the kept statistics: about 20 bytes a term, 10 MB in all.
const mostTerms = 500_000

// stats are what questions of a project are made with: its document frequencies as of
// one ingestion, and the model of its vectors.
type stats struct {
	project   string // company and project id
	updatedAt time.Time
	frequency *lexical.Stats
	model     string // empty: the project has no vectors

	promoted      bool  // the project is searched by indexes of its own
	postingsUntil int64 // the last chunk that its postings know; a lower one costs time alone
	chunks        int32
}

// inForce tells whether the stamp and the model are those of s.
func (s *stats) inForce(updatedAt time.Time, model string) bool {
	return s.updatedAt.Equal(updatedAt) && s.model == model
}

// statsCache keeps the statistics of the projects asked last. It is never told of an
// ingestion: every search answers the stamp and the model in force, and the caller
// compares. Safe for concurrent use.
type statsCache struct {
	mu     sync.Mutex
	most   int // terms
	terms  int
	recent *list.List // of *stats, the last used first
	places map[string]*list.Element
}

func newStatsCache(most int) *statsCache {
	return &statsCache{most: most, recent: list.New(), places: map[string]*list.Element{}}
}

// get returns what is kept of the project, nil for nothing.
func (c *statsCache) get(project string) *stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	place, ok := c.places[project]
	if !ok {
		return nil
	}
	c.recent.MoveToFront(place)
	return place.Value.(*stats) //nolint:forcetypeassert // the list holds nothing else
}

// put keeps s and drops what was not used for the longest time. The newest stays,
// whatever its size.
func (c *statsCache) put(s *stats) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(c.places[s.project])
	c.places[s.project] = c.recent.PushFront(s)
	c.terms += len(s.frequency.Frequency)
	for c.terms > c.most && c.recent.Len() > 1 {
		c.drop(c.recent.Back())
	}
}

func (c *statsCache) drop(place *list.Element) {
	if place == nil {
		return
	}
	s := c.recent.Remove(place).(*stats) //nolint:forcetypeassert // the list holds nothing else
	delete(c.places, s.project)
	c.terms -= len(s.frequency.Frequency)
}
