package loopback

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestListenMovesWhenThePortIsTaken(t *testing.T) {
	t.Parallel()
	first, err := Listen(t.Context(), 0)
	require.NoError(t, err)
	defer first.Close()
	port := first.Addr().(*net.TCPAddr).Port

	second, err := Listen(t.Context(), port)
	require.NoError(t, err)
	require.NotEqual(t, first.Addr().String(), second.Addr().String())
	freed := second.Addr().(*net.TCPAddr).Port
	require.NoError(t, second.Close())

	again, err := FreePort(t.Context(), freed)
	require.NoError(t, err)
	require.Equal(t, freed, again)
}
