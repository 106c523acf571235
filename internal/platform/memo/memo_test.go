package memo_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/clock"
	"docqa/internal/platform/memo"
)

func TestMemo_Get(t *testing.T) {
	t.Parallel()
	c := clock.Fixed(time.Unix(1_700_000_000, 0))
	m := memo.New[int](c, time.Second, 2, nil)
	loads := 0
	get := func(key string) int {
		v, err := m.Get(t.Context(), key, func(context.Context) (int, error) { loads++; return loads, nil })
		require.NoError(t, err)
		return v
	}
	require.Equal(t, 1, get("a"))
	require.Equal(t, 1, get("a"), "remembered")
	c.Advance(time.Second)
	require.Equal(t, 2, get("a"), "out of date at its time to live")
	m.Drop("a")
	require.Equal(t, 3, get("a"), "dropped")
	get("b")
	get("c")
	require.Equal(t, 5, loads)
	get("c")
	require.Equal(t, 5, loads, "the newest entry survives the limit")
}

func TestMemo_Get_failuresAreNotKept(t *testing.T) {
	t.Parallel()
	m := memo.New[int](clock.Fixed(time.Unix(0, 0)), time.Second, 2, nil)
	_, err := m.Get(t.Context(), "a", func(context.Context) (int, error) { return 0, errors.New("down") })
	require.Error(t, err)
	v, err := m.Get(t.Context(), "a", func(context.Context) (int, error) { return 7, nil })
	require.NoError(t, err)
	require.Equal(t, 7, v)
}

// byTens groups values below ten, below twenty and so on.
func byTens(v int) string { return strconv.Itoa(v / 10) }

func TestMemo_DropGroup(t *testing.T) {
	t.Parallel()
	m := memo.New(clock.Fixed(time.Unix(0, 0)), time.Minute, 10, byTens)
	loads := 0
	get := func(key string, v int) {
		_, err := m.Get(t.Context(), key, func(context.Context) (int, error) { loads++; return v, nil })
		require.NoError(t, err)
	}
	get("one", 1)
	get("two", 2)
	get("eleven", 11)
	m.DropGroup("0")
	get("eleven", 11)
	require.Equal(t, 3, loads, "another group is still remembered")
	get("one", 1)
	get("two", 2)
	require.Equal(t, 5, loads)
	m.DropGroup("7")
	get("one", 12)
	require.Equal(t, 5, loads)
}

func TestMemo_DropGroup_duringALoad(t *testing.T) {
	t.Parallel()
	m := memo.New(clock.Fixed(time.Unix(0, 0)), time.Minute, 2, byTens)
	load := func(v int, drop string) func(context.Context) (int, error) {
		return func(context.Context) (int, error) { m.DropGroup(drop); return v, nil }
	}
	_, err := m.Get(t.Context(), "a", load(1, "0"))
	require.NoError(t, err)
	v, err := m.Get(t.Context(), "a", load(2, "1"))
	require.NoError(t, err)
	require.Equal(t, 2, v, "what was read before its group was dropped is not answered after it")
	v, err = m.Get(t.Context(), "a", load(3, "1"))
	require.NoError(t, err)
	require.Equal(t, 2, v, "another group's drop does not concern it")
}

func TestMemo_Drop_duringALoad(t *testing.T) {
	t.Parallel()
	m := memo.New[int](clock.Fixed(time.Unix(0, 0)), time.Minute, 2, nil)
	_, err := m.Get(t.Context(), "a", func(context.Context) (int, error) { m.Drop("a"); return 1, nil })
	require.NoError(t, err)
	v, err := m.Get(t.Context(), "a", func(context.Context) (int, error) { return 2, nil })
	require.NoError(t, err)
	require.Equal(t, 2, v)
}
