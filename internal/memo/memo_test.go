package memo_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/clock"
	"docqa/internal/memo"
)

func TestMemo_Get(t *testing.T) {
	t.Parallel()
	c := clock.Fixed(time.Unix(1_700_000_000, 0))
	m := memo.New[int](c, time.Second, 2)
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
	m.Clear()
	require.Equal(t, 3, get("a"), "cleared")
	get("b")
	get("c")
	require.Equal(t, 5, loads)
	get("c")
	require.Equal(t, 5, loads, "the newest entry survives the limit")
}

func TestMemo_Get_failuresAreNotKept(t *testing.T) {
	t.Parallel()
	m := memo.New[int](clock.Fixed(time.Unix(0, 0)), time.Second, 2)
	_, err := m.Get(t.Context(), "a", func(context.Context) (int, error) { return 0, errors.New("down") })
	require.Error(t, err)
	v, err := m.Get(t.Context(), "a", func(context.Context) (int, error) { return 7, nil })
	require.NoError(t, err)
	require.Equal(t, 7, v)
}

func TestMemo_Clear_duringALoad(t *testing.T) {
	t.Parallel()
	m := memo.New[int](clock.Fixed(time.Unix(0, 0)), time.Minute, 2)
	_, err := m.Get(t.Context(), "a", func(context.Context) (int, error) { m.Clear(); return 1, nil })
	require.NoError(t, err)
	v, err := m.Get(t.Context(), "a", func(context.Context) (int, error) { return 2, nil })
	require.NoError(t, err)
	require.Equal(t, 2, v, "what was read before Clear is not answered after it")
}
