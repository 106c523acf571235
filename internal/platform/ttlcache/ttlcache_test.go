package ttlcache_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/clock"
	"docqa/internal/platform/ttlcache"
)

// bundle is a cache of numbers, grouped by their tens: 1 to 9 have the group 0, 0 has none.
type bundle struct {
	clock *clock.Manual
	cache *ttlcache.Cache[int]
	loads int // loads by get
}

func setup(t *testing.T, size int) *bundle {
	t.Helper()
	b := &bundle{clock: clock.Fixed(time.Unix(1_700_000_000, 0))}
	b.cache = ttlcache.New(ttlcache.Options[int]{
		Clock: b.clock, TTL: time.Second, Size: size, Group: func(v int) string {
			if v == 0 {
				return ""
			}
			return strconv.Itoa(v / 10)
		},
	})
	return b
}

// get returns the cached value of key; if there is none, it loads value.
func (b *bundle) get(t *testing.T, key string, value int) int {
	t.Helper()
	v, err := b.cache.Get(t.Context(), key, func(context.Context) (int, error) { b.loads++; return value, nil })
	require.NoError(t, err)
	return v
}

func TestCache_Get(t *testing.T) {
	t.Parallel()
	b := setup(t, 100)
	require.Equal(t, 1, b.get(t, "a", 1))
	require.Equal(t, 1, b.get(t, "a", 2), "cached")
	require.Equal(t, 7, b.get(t, "b", 7))
	b.clock.Advance(time.Second - 1)
	require.Equal(t, 1, b.get(t, "a", 2))
	b.clock.Advance(1)
	require.Equal(t, 2, b.get(t, "a", 2), "expired")
	require.Equal(t, 3, b.loads)
}

func TestCache_Get_ageCountsFromTheStartOfTheLoad(t *testing.T) {
	t.Parallel()
	b := setup(t, 100)
	v, err := b.cache.Get(t.Context(), "a", func(context.Context) (int, error) { b.clock.Advance(time.Second); return 1, nil })
	require.NoError(t, err)
	require.Equal(t, 1, v)
	require.Equal(t, 2, b.get(t, "a", 2))
}

func TestCache_Get_isBounded(t *testing.T) {
	t.Parallel()
	b := setup(t, 10)
	for i := range 1000 {
		b.get(t, strconv.Itoa(i), 1)
	}
	require.Eventually(t, func() bool { // the cache evicts entries in the background
		cached := 0
		for i := range 1000 {
			v, err := b.cache.Get(t.Context(), strconv.Itoa(i), func(context.Context) (int, error) { return 0, nil })
			require.NoError(t, err)
			cached += v
		}
		return cached <= 10
	}, 10*time.Second, time.Millisecond)
}

func TestCache_Get_errorsAndPanicsAreNotCached(t *testing.T) {
	t.Parallel()
	b := setup(t, 100)
	down := errors.New("down")
	_, err := b.cache.Get(t.Context(), "a", func(context.Context) (int, error) { return 0, down })
	require.ErrorIs(t, err, down)
	_, err = b.cache.Get(t.Context(), "a", func(context.Context) (int, error) { panic("a bug") })
	require.ErrorContains(t, err, "a bug")
	require.Equal(t, 7, b.get(t, "a", 7))
}

func TestCache_Get_oneLoadAtATime(t *testing.T) {
	t.Parallel()
	b := setup(t, 100)
	begun, finish := make(chan struct{}), make(chan struct{})
	leaving, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := b.cache.Get(leaving, "a", func(ctx context.Context) (int, error) {
			close(begun)
			<-finish
			return 1, ctx.Err()
		})
		left <- err
	}()
	<-begun
	leave()
	require.ErrorIs(t, <-left, context.Canceled, "a call ends with its context")

	var calls sync.WaitGroup
	for range 10 {
		calls.Go(func() {
			v, err := b.cache.Get(t.Context(), "a", func(context.Context) (int, error) { return 2, nil })
			if err != nil || v != 1 {
				t.Errorf("%d, %v: the load was not shared, or ended with the call that began it", v, err)
			}
		})
	}
	close(finish)
	calls.Wait()
}

func TestCache_Get_withoutAGroup(t *testing.T) {
	t.Parallel()
	b := setup(t, 100)
	require.Equal(t, 0, b.get(t, "a", 0))
	require.Equal(t, 5, b.get(t, "a", 5), "a value without a group is not cached")
}

func TestCache_DropGroup(t *testing.T) {
	t.Parallel()
	b := setup(t, 100)
	b.get(t, "one", 1)
	b.get(t, "two", 2)
	b.get(t, "eleven", 11)
	b.cache.DropGroup("0")
	require.Equal(t, 11, b.get(t, "eleven", 12), "another group is still cached")
	require.Equal(t, 3, b.get(t, "one", 3))
	require.Equal(t, 4, b.get(t, "two", 4))
	b.cache.DropGroup("7")
	require.Equal(t, 3, b.get(t, "one", 5))
}

func TestCache_DropGroup_duringALoad(t *testing.T) {
	t.Parallel()
	b := setup(t, 100)
	load := func(v int, drop string) func(context.Context) (int, error) {
		return func(context.Context) (int, error) { b.cache.DropGroup(drop); return v, nil }
	}
	v, err := b.cache.Get(t.Context(), "a", load(1, "0"))
	require.NoError(t, err)
	require.Equal(t, 1, v, "the call began before the drop")
	v, err = b.cache.Get(t.Context(), "a", load(2, "1"))
	require.NoError(t, err)
	require.Equal(t, 2, v, "what was read before the drop is not returned after it")
	require.Equal(t, 2, b.get(t, "a", 3), "the drop of another group does not concern it")
}

// A call that begins after a drop does not get the value of a load that began before it.
func TestCache_DropGroup_beforeACallThatWaits(t *testing.T) {
	t.Parallel()
	b := setup(t, 100) // outside of the bubble: synctest would wait for otter's goroutines
	synctest.Test(t, func(t *testing.T) {
		finish, first, second := make(chan struct{}), make(chan int, 1), make(chan int, 1)
		get := func(into chan int, load func() int) {
			v, err := b.cache.Get(t.Context(), "a", func(context.Context) (int, error) { return load(), nil })
			if err != nil {
				t.Error(err)
			}
			into <- v
		}
		go get(first, func() int { <-finish; return 1 })
		synctest.Wait() // the load has begun
		b.cache.DropGroup("0")
		go get(second, func() int { return 2 })
		synctest.Wait() // the second call waits for it
		close(finish)
		require.Equal(t, 1, <-first)
		require.Equal(t, 2, <-second)
	})
	require.Equal(t, 2, b.get(t, "a", 3))
}

func TestCache_Add(t *testing.T) {
	t.Parallel()
	b := setup(t, 100)
	require.True(t, b.cache.Add("a", 1))
	require.False(t, b.cache.Add("a", 2))
	require.Equal(t, 1, b.get(t, "a", 3))
	b.clock.Advance(time.Second)
	require.True(t, b.cache.Add("a", 4), "expired")
}
