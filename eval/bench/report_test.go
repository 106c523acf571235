package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRow(t *testing.T) {
	t.Parallel()
	r := median("P2", "chat", "ms", []float64{6, 2, 4})
	require.InDelta(t, 4, r.Value, 1e-9)
	require.Nil(t, r.Met)
	require.True(t, *r.atMost(4).Met)
	require.False(t, *r.atMost(3.9).Met)
	require.True(t, *r.atLeast(4).Met)
	other := r.beside("Other", 40)
	require.InDelta(t, 10, *other.Ratio, 1e-9)
	require.True(t, *other.less(10).Met)
	require.False(t, *other.less(11).Met)
	require.False(t, *r.less(1).Met, "nothing stands beside it")
	require.False(t, *missing("P1", "call", "Other", "not installed").Met)
}

func TestReport_Print(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := &Report{Rows: []Row{
		figure("P11", "memory", "MB", 60).atMost(80), figure("P2", "chat", "ms", 5).beside("commit", 2),
		figure("P1", "call", "ms", .5).beside("Gateway", 3).less(10), missing("P4", "vectors", "Other", "not installed"),
	}}
	require.NoError(t, r.Print(&out))
	require.Regexp(t, `P11 +memory +60 +MB +≤ 80 MB +reached`, out.String())
	require.Regexp(t, `P2 +chat +5 +ms +commit +2 +0\.4 *\n`, out.String())
	require.Regexp(t, `P1 +call +0\.5 +ms +Gateway +3 +6 +≥ 10 × less +missed`, out.String())
	require.Regexp(t, `P4 +vectors +- +Other +not measured: not installed +missed`, out.String())
	require.Contains(t, out.String(), "1 of 3 reached")
}

func TestNames(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"P11", "P2", "P1", "P3", "P7", "P4", "P6", "P12"}, Names())
}
