package loopback

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestListen(t *testing.T) {
	t.Parallel()
	first, err := Listen(t.Context(), Port{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = first.Close() })
	busy := NumberOf(first)

	t.Run("a taken port", func(t *testing.T) {
		t.Parallel()
		_, err := Listen(t.Context(), Port{Number: busy})
		require.ErrorIs(t, err, ErrTaken)
		_, err = FreePort(t.Context(), Port{Number: busy})
		require.ErrorIs(t, err, ErrTaken)
	})
	t.Run("a taken port that may move", func(t *testing.T) {
		t.Parallel()
		other, err := Listen(t.Context(), Port{Number: busy, Movable: true})
		require.NoError(t, err)
		require.NotEqual(t, busy, NumberOf(other))
		require.NoError(t, other.Close())
	})
}
