package panics_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/panics"
)

func TestCatch(t *testing.T) {
	t.Parallel()
	require.NoError(t, panics.Catch(func() error { return nil }))
	failed := errors.New("failed")
	require.ErrorIs(t, panics.Catch(func() error { return failed }), failed)
	err := panics.Catch(func() error { panic("a bug") })
	require.ErrorContains(t, err, "panic: a bug")
	require.ErrorContains(t, err, "TestCatch", "with its stack")
}
