package bench_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/bench"
	"docqa/eval/bench/harness"
)

func TestIDs(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"P11", "P2", "P1", "P3", "P7", "P4", "P6", "P12"}, bench.IDs())
}

func TestRun_unknownPart(t *testing.T) {
	t.Parallel()
	_, err := bench.Run(t.Context(), []string{"P99"}, harness.Options{})
	require.ErrorContains(t, err, "unknown part P99")
}
