package app

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"docqa/internal/platform/config"
)

// TestIsolate_shieldsTheService: outside of development no other process of the same user may
// read the memory of the service.
func TestIsolate_shieldsTheService(t *testing.T) { //nolint:paralleltest // it changes the process
	dumpable := func() int {
		is, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
		require.NoError(t, err)
		return is
	}
	log := slog.New(slog.DiscardHandler)
	require.NoError(t, Isolate(t.Context(), &config.Config{Environment: config.EnvironmentDev}, log, false))
	require.Equal(t, 1, dumpable())
	require.NoError(t, Isolate(t.Context(), &config.Config{Environment: config.EnvironmentProduction}, log, false))
	require.Zero(t, dumpable())
}
