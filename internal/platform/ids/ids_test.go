package ids_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/ids"
)

func TestNew(t *testing.T) {
	t.Parallel()
	before := ids.New(ids.Project)
	for range 1000 {
		id := ids.New(ids.Project)
		require.True(t, ids.Valid(ids.Project, id), id)
		require.Less(t, before, id)
		before = id
	}
}

func TestTime(t *testing.T) {
	t.Parallel()
	require.WithinDuration(t, time.Now(), ids.Time(ids.New(ids.Message)), time.Minute)
	require.True(t, ids.Time("msg_").IsZero())
	require.True(t, ids.Time("nonsense").IsZero())
	require.True(t, ids.Time("msg_!!!").IsZero())
}

func TestDerived(t *testing.T) {
	t.Parallel()
	id := ids.Derived(ids.TestPrompt, "text")
	require.True(t, ids.Valid(ids.TestPrompt, id), id)
	require.Equal(t, id, ids.Derived(ids.TestPrompt, "text"))
	require.NotEqual(t, id, ids.Derived(ids.TestPrompt, "another text"))
}

func TestKeyed(t *testing.T) {
	t.Parallel()
	id := ids.Keyed(ids.Chunk, []byte("key"), "42")
	require.True(t, ids.Valid(ids.Chunk, id), id)
	require.Equal(t, id, ids.Keyed(ids.Chunk, []byte("key"), "42"), "stable")
	require.NotEqual(t, id, ids.Keyed(ids.Chunk, []byte("key"), "43"))
	require.NotEqual(t, id, ids.Keyed(ids.Chunk, []byte("other"), "42"), "nobody makes it without the key")
	require.NotContains(t, id, "42")
}

func TestValid(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "prj", "prj_", "doc_01jd8xw2v3k4m5n6p7q8r9s0ta", "prj_01jd8xw2v3k4m5n6p7q8r9s0t", "prj_01JD8XW2V3K4M5N6P7Q8R9S0TA", "prj_01jd8xw2v3k4m5n6p7q8r9s0\x00a"} {
		require.False(t, ids.Valid(ids.Project, s), "%q", s)
	}
}
