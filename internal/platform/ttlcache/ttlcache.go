package ttlcache

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/singleflight"

	"docqa/internal/platform/clock"
	"docqa/internal/platform/panics"
)

// loadTime bounds a load, because a load does not end with the calls that wait for it.
const loadTime = 10 * time.Second

// Options are the settings of a cache.
type Options[V any] struct {
	Clock clock.Clock
	TTL   time.Duration // counts from the start of the load, when the value may have been read
	Size  int           // entries; when it is full, those that are used least are evicted

	// Group returns the group of a value, for DropGroup. A value without a group is
	// returned to the call that loaded it and to no other. Nil: there are no groups, and
	// every value is cached.
	Group func(V) string
}

// Cache caches values of type V by a key. Safe for concurrent use.
type Cache[V any] struct {
	o       Options[V]
	entries *otter.Cache[string, entry]
	loads   singleflight.Group

	drops   atomic.Int64                // how often DropGroup was called
	dropped *otter.Cache[string, entry] // by group: the number of its last drop
}

// entry is a value of type V, with the time and the number of drops at which its load began.
// One type for all caches: the compiler makes 0.5 MB of code for each type that otter stores.
type entry struct {
	value  any
	loaded time.Time
	drops  int64
}

// New returns an empty cache.
func New[V any](o Options[V]) *Cache[V] {
	now := otterClock{o.Clock}
	remaining := func(e otter.Entry[string, entry]) time.Duration {
		return max(1, e.Value.loaded.Add(o.TTL).Sub(e.SnapshotAt()))
	}
	return &Cache[V]{
		o: o,
		entries: otter.Must(&otter.Options[string, entry]{
			MaximumSize: o.Size, ExpiryCalculator: otter.ExpiryWritingFunc(remaining), Clock: now,
		}),
		// A drop is remembered until the last load that it affects has ended and its value has
		// expired.
		dropped: otter.Must(&otter.Options[string, entry]{
			ExpiryCalculator: otter.ExpiryWriting[string, entry](o.TTL + loadTime), Clock: now,
		}),
	}
}

// Get returns the cached value of key, or loads and caches it. Calls for the same key at the
// same time share one load. When the ctx of one call ends, that call returns and the load goes
// on. An error of a load is returned to these calls and not cached.
func (c *Cache[V]) Get(ctx context.Context, key string, load func(context.Context) (V, error)) (V, error) {
	began := c.o.Clock.Now()
	if e, ok := c.entries.GetIfPresent(key); ok && c.valid(e, began) {
		return e.value.(V), nil //nolint:forcetypeassert // the cache holds nothing else
	}
	var none V
	for {
		mine := false
		loaded := c.loads.DoChan(key, func() (any, error) {
			mine = true
			return c.load(ctx, key, load)
		})
		select {
		case result := <-loaded:
			if result.Err != nil {
				return none, result.Err
			}
			if e := result.Val.(entry); mine || c.valid(e, began) { //nolint:forcetypeassert // load returns nothing else
				return e.value.(V), nil //nolint:forcetypeassert // as above
			}
			c.loads.Forget(key) // the load began before a drop: this call needs a new one
		case <-ctx.Done():
			return none, ctx.Err()
		}
	}
}

// load loads the value of key and caches it.
func (c *Cache[V]) load(ctx context.Context, key string, load func(context.Context) (V, error)) (e entry, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTime)
	defer cancel()
	e = entry{loaded: c.o.Clock.Now(), drops: c.drops.Load()}
	err = panics.Catch(func() (err error) {
		e.value, err = load(ctx)
		return err
	})
	if err == nil {
		c.entries.Set(key, e)
	}
	return e, err
}

// Add caches a value if the cache has none for key, and tells whether it did.
func (c *Cache[V]) Add(key string, value V) bool {
	_, added := c.entries.SetIfAbsent(key, entry{value: value, loaded: c.o.Clock.Now(), drops: c.drops.Load()})
	return added
}

// valid tells whether a call that began at the given time may return e.
func (c *Cache[V]) valid(e entry, began time.Time) bool {
	if !began.Before(e.loaded.Add(c.o.TTL)) {
		return false
	}
	if c.o.Group == nil {
		return true
	}
	group := c.o.Group(e.value.(V)) //nolint:forcetypeassert // the cache holds nothing else
	last, ok := c.dropped.GetIfPresent(group)
	return group != "" && (!ok || e.drops >= last.drops)
}

// DropGroup drops every value of a group, also those that are being loaded now.
func (c *Cache[V]) DropGroup(group string) { c.dropped.Set(group, entry{drops: c.drops.Add(1)}) }

// otterClock gives otter the injected time.
type otterClock struct{ clock.Clock }

// NowNano returns the time in nanoseconds.
func (c otterClock) NowNano() int64 { return c.Now().UnixNano() }

// Tick returns the ticks at which otter removes expired entries from memory.
func (otterClock) Tick(d time.Duration) <-chan time.Time { return time.Tick(d) }
