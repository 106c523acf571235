package search

import (
	"container/list"
	"sync"
	"sync/atomic"
	"time"

	"docqa/internal/engine/lexical"
)

// maxCachedTerms limits the cached statistics: about 20 bytes a term, 40 MB in all.
const maxCachedTerms = 2_000_000

// termsPerWord is how many terms a word of a lexicon counts as: it takes about 120 bytes.
const termsPerWord = 6

// stats are the document frequencies of a project, by which the terms of a question are
// weighted, and the model of the project's vectors.
type stats struct {
	companyID, projectID string

	updatedAt time.Time
	frequency *lexical.Stats
	model     string // empty: the project has no vectors

	large         bool  // the project has a large index
	postingsUntil int64 // the last chunk in its postings; a number that is too low only costs time
	chunks        int32

	lexicon *atomic.Pointer[lexical.Lexicon] // of the project's words; points to nil until a word is looked up
	counted int                              // size when it was put into the cache
}

// size is how many terms the statistics count as.
func (s *stats) size() int {
	n := len(s.frequency.Frequency)
	if s.lexicon == nil {
		return n
	}
	if x := s.lexicon.Load(); x != nil {
		n += termsPerWord * x.Size()
	}
	return n
}

// key is the key of the statistics in the cache.
func (s *stats) key() string { return s.companyID + "/" + s.projectID }

// isCurrent reports whether s has the time stamp and the model that the database has.
func (s *stats) isCurrent(updatedAt time.Time, model string) bool {
	return s.updatedAt.Equal(updatedAt) && s.model == model
}

// statsCache caches the statistics of the projects that were searched last. An ingestion does
// not clear it: every search returns the current time stamp and model, and the caller compares
// them with those of the cache. Safe for concurrent use.
type statsCache struct {
	mu     sync.Mutex
	limit  int // of terms
	terms  int
	recent *list.List // of *stats, the last used first
	places map[string]*list.Element
}

func newStatsCache(limit int) *statsCache {
	return &statsCache{limit: limit, recent: list.New(), places: map[string]*list.Element{}}
}

// get returns the statistics of the project, nil if they are not cached.
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

// put caches s and drops the statistics that were not used for the longest time. s itself
// stays, whatever its size.
func (c *statsCache) put(s *stats) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(c.places[s.key()])
	c.places[s.key()] = c.recent.PushFront(s)
	s.counted = s.size()
	c.terms += s.counted
	for c.terms > c.limit && c.recent.Len() > 1 {
		c.drop(c.recent.Back())
	}
}

func (c *statsCache) drop(place *list.Element) {
	if place == nil {
		return
	}
	s := c.recent.Remove(place).(*stats) //nolint:forcetypeassert // the list holds nothing else
	delete(c.places, s.key())
	c.terms -= s.counted
}
