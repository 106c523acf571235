package benchmark

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReport_Print(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := &Report{
		Chunks: 1000, StartMS: []float64{900, 200, 250}, SelectMS: []float64{.1}, CommitMS: []float64{2}, ChatMS: []float64{6, 5, 7},
		FirstFrameMS: []float64{3}, ResidentBytes: 60e6,
	}
	require.NoError(t, r.Print(&out))
	require.Regexp(t, `whole +6\.00 +7\.00 +3\.00`, out.String())
	require.Regexp(t, `above the commit, p50 +4\.00 ms +3\.00 ms +missed`, out.String())
	require.Regexp(t, `memory .* 60\.0 MB .* reached`, out.String())
	require.Regexp(t, `median of 3 +250 ms +300 ms +reached`, out.String())
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	first, second := corpus(), corpus()
	require.Len(t, first, documents)
	require.Equal(t, first, second)
	words := strings.Fields(string(first["volume-01.md"]))
	require.InDelta(t, paragraphs*(paragraphWords+3), len(words), 5)
	require.NotEqual(t, question(1), question(2))
}
