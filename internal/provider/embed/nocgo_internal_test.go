//go:build !cgo

package embed

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOpenRunner_withoutCgo(t *testing.T) {
	t.Parallel()
	_, err := openRunner("", "")
	require.ErrorContains(t, err, "built without cgo")
}
