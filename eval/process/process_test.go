package process_test

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/eval/process"
	"docqa/internal/platform/clock"
)

func options(ready bool, timeout time.Duration) process.Options {
	return process.Options{Clock: clock.System(), Ready: func(context.Context) bool { return ready }, Timeout: timeout, Every: time.Millisecond}
}

func TestStart(t *testing.T) {
	t.Parallel()

	t.Run("runs until it is stopped", func(t *testing.T) {
		t.Parallel()
		command := exec.CommandContext(t.Context(), "sleep", "600")
		p, err := process.Start(t.Context(), command, options(true, time.Minute))
		require.NoError(t, err)
		memory, err := p.ResidentBytes()
		require.NoError(t, err)
		require.Positive(t, memory)
		_, err = p.CPUMilliseconds()
		require.NoError(t, err)
		require.NoError(t, p.Stop())
		require.NotNil(t, command.ProcessState, "the program has ended")
		require.NoError(t, p.Stop(), "a second call does nothing")
	})

	t.Run("fails if the program ends", func(t *testing.T) {
		t.Parallel()
		_, err := process.Start(t.Context(), exec.CommandContext(t.Context(), "false"), options(false, time.Minute))
		require.ErrorContains(t, err, "ended before it was ready")
	})

	t.Run("stops a program that is not ready in time", func(t *testing.T) {
		t.Parallel()
		command := exec.CommandContext(t.Context(), "sleep", "600")
		_, err := process.Start(t.Context(), command, options(false, 10*time.Millisecond))
		require.ErrorContains(t, err, "was not ready in time")
		require.NotNil(t, command.ProcessState, "the program has ended")
	})
}

func TestFreeAddress(t *testing.T) {
	t.Parallel()
	address, err := process.FreeAddress(t.Context())
	require.NoError(t, err)
	require.False(t, process.Listens(t.Context(), address))
}
