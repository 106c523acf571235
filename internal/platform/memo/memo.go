package memo

import (
	"context"
	"slices"
	"sync"
	"time"

	"docqa/internal/platform/clock"
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
	group func(V) string // nil: values belong to no group

	mu      sync.Mutex
	entries map[string]entry[V]
	groups  map[string]map[string]struct{} // the keys of each group
	loads   map[*load]struct{}
}

// load is a value that is being read, with what was dropped since the read began.
type load struct {
	keys, groups []string
}

// New returns a memo that keeps up to most values for ttl each. group names the group
// of a value, for DropGroup; nil where there are no groups.
func New[V any](c clock.Clock, ttl time.Duration, most int, group func(V) string) *Memo[V] {
	return &Memo[V]{
		clock: c, ttl: ttl, most: most, group: group, entries: map[string]entry[V]{}, groups: map[string]map[string]struct{}{},
		loads: map[*load]struct{}{},
	}
}

// Get answers the remembered value of key, or loads and remembers it. The time to
// live counts from before the load: what the load read may be that old.
func (m *Memo[V]) Get(ctx context.Context, key string, read func(context.Context) (V, error)) (V, error) {
	now := m.clock.Now()
	m.mu.Lock()
	if e, ok := m.entries[key]; ok && now.Before(e.until) {
		m.mu.Unlock()
		return e.value, nil
	}
	l := &load{}
	m.loads[l] = struct{}{}
	m.mu.Unlock()
	keep := false // also after a panic of read
	var v V
	defer func() { m.loaded(l, key, entry[V]{value: v, until: now.Add(m.ttl)}, keep) }()
	v, err := read(ctx)
	keep = err == nil
	return v, err
}

// loaded ends a load. What was dropped since it began is not kept.
func (m *Memo[V]) loaded(l *load, key string, e entry[V], keep bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.loads, l)
	if !keep || slices.Contains(l.keys, key) || m.group != nil && slices.Contains(l.groups, m.group(e.value)) {
		return
	}
	m.makeRoom()
	m.remove(key)
	m.entries[key] = e
	if m.group == nil {
		return
	}
	group := m.group(e.value)
	if m.groups[group] == nil {
		m.groups[group] = map[string]struct{}{}
	}
	m.groups[group][key] = struct{}{}
}

// Drop forgets the value of key, also one that is being loaded now.
func (m *Memo[V]) Drop(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remove(key)
	for l := range m.loads {
		l.keys = append(l.keys, key)
	}
}

// DropGroup forgets every value of a group, also those that are being loaded now.
func (m *Memo[V]) DropGroup(group string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key := range m.groups[group] {
		m.remove(key)
	}
	for l := range m.loads {
		l.groups = append(l.groups, group)
	}
}

// remove takes an entry out, below the lock.
func (m *Memo[V]) remove(key string) {
	e, ok := m.entries[key]
	if !ok {
		return
	}
	delete(m.entries, key)
	if m.group == nil {
		return
	}
	group := m.group(e.value)
	delete(m.groups[group], key)
	if len(m.groups[group]) == 0 {
		delete(m.groups, group)
	}
}

// makeRoom drops what is out of date when the memo is full, and everything where
// that is not enough: entries live so short that an order of age is not worth keeping.
func (m *Memo[V]) makeRoom() {
	if len(m.entries) < m.most {
		return
	}
	now := m.clock.Now()
	for k, e := range m.entries {
		if !now.Before(e.until) {
			m.remove(k)
		}
	}
	if len(m.entries) >= m.most {
		clear(m.entries)
		clear(m.groups)
	}
}
