//go:build !cgo

package onnx_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/provider/onnx"
)

func TestOpen_withoutCgo(t *testing.T) {
	t.Parallel()
	_, err := onnx.Open("", "", "logits")
	require.ErrorIs(t, err, onnx.ErrNotBuilt)
}
