package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRow(t *testing.T) {
	t.Parallel()
	r := Median("P2", "chat", "ms", []float64{6, 2, 4})
	require.InDelta(t, 4, r.Value, 1e-9)
	require.Nil(t, r.Met)
	require.True(t, *r.AtMost(4).Met)
	require.False(t, *r.AtMost(3.9).Met)
	require.True(t, *r.AtLeast(4).Met)
	other := r.ComparedWith("Other", 40)
	require.InDelta(t, 10, *other.Ratio, 1e-9)
	require.True(t, *other.TimesLess(10).Met)
	require.False(t, *other.TimesLess(11).Met)
	require.False(t, *r.TimesLess(1).Met, "there is no other figure")
	more := Figure("P7", "jobs", "1/s", 50).ComparedWith("Other", 10).TimesMore(5)
	require.InDelta(t, 5, *more.Ratio, 1e-9)
	require.True(t, *more.Met)
	require.False(t, *more.ComparedWith("Other", 11).TimesMore(5).Met)
	require.True(t, *other.AtMost(4).ComparedWith("Other", 4).NotBelow().Met)
	require.Nil(t, more.WithoutTarget().Met)
	require.False(t, *Missing("P1", "call", "Other", "not installed").Met)
}

func TestReport_Print(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := &Report{Rows: []Row{
		Figure("P11", "memory", "MB", 60).AtMost(80), Figure("P2", "chat", "ms", 5).ComparedWith("commit", 2),
		Figure("P1", "call", "ms", .5).ComparedWith("Gateway", 3).TimesLess(10), Missing("P4", "vectors", "Other", "not installed"),
	}}
	require.NoError(t, r.Print(&out))
	require.Regexp(t, `P11 +memory +60 +MB +≤ 80 MB +reached`, out.String())
	require.Regexp(t, `P2 +chat +5 +ms +commit +2 +0\.4 *\n`, out.String())
	require.Regexp(t, `P1 +call +0\.5 +ms +Gateway +3 +6 +≥ 10 × less +missed`, out.String())
	require.Regexp(t, `P4 +vectors +- +Other +not measured: not installed +missed`, out.String())
	require.Contains(t, out.String(), "1 of 3 targets reached")
}
