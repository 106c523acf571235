package memo

import (
	"context"
	"sync"
	"time"

	"docqa/internal/clock"
)

type entry[V any] struct {
	value V
	until time.Time
}

// Memo remembers values of type V by a key. Safe for concurrent use.
type Memo[V any] struct {
	clock clock.Clock
	ttl   time.Duration
	most  int

	mu         sync.Mutex
	entries    map[string]entry[V]
	generation uint64
}

// New returns a memo that keeps up to most values for ttl each.
func New[V any](c clock.Clock, ttl time.Duration, most int) *Memo[V] {
	return &Memo[V]{clock: c, ttl: ttl, most: most, entries: make(map[string]entry[V])}
}

// Get answers the remembered value of key, or loads and remembers it. The time to
// live counts from before the load: what the load read may be that old.
func (m *Memo[V]) Get(ctx context.Context, key string, load func(context.Context) (V, error)) (V, error) {
	now := m.clock.Now()
	m.mu.Lock()
	e, ok := m.entries[key]
	generation := m.generation
	m.mu.Unlock()
	if ok && now.Before(e.until) {
		return e.value, nil
	}
	v, err := load(ctx)
	if err != nil {
		return v, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.generation == generation {
		m.makeRoom(now)
		m.entries[key] = entry[V]{value: v, until: now.Add(m.ttl)}
	}
	return v, nil
}

// Drop forgets the value of key.
func (m *Memo[V]) Drop(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.entries, key)
}

// Clear forgets everything, also what is being loaded now.
func (m *Memo[V]) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.generation++
	clear(m.entries)
}

// makeRoom drops what is out of date when the memo is full, and everything where
// that is not enough: entries live so short that an order of age is not worth keeping.
func (m *Memo[V]) makeRoom(now time.Time) {
	if len(m.entries) < m.most {
		return
	}
	for k, e := range m.entries {
		if !now.Before(e.until) {
			delete(m.entries, k)
		}
	}
	if len(m.entries) >= m.most {
		clear(m.entries)
	}
}
