package optional_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/optional"
)

func TestDeref(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a", optional.Deref(new("a")))
	require.Empty(t, optional.Deref[string](nil))
}
