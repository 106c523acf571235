package fusion_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/fusion"
)

func TestScores(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		bm25, cosines []float64
		want          []float64
		weight        float64
	}{
		{"the best by both is 1, the worst by both 0", []float64{10, 0, 5}, []float64{0.6, 0.1, 0.35}, []float64{1, 0, 0.5}, (0.625 / 0.9) / (1 + 0.625/0.9)},
		{"words that tell nothing apart have no say", []float64{7, 7, 7}, []float64{0.2, 0.4, 0.3}, []float64{0, 1, 0.5}, 1},
		{"nor has a model that finds all alike", []float64{8, 0, 4}, []float64{0.7, 0.7, 0.7}, []float64{1, 0, 0.5}, 0},
		{"a model of high cosines tells as much", []float64{10, 0, 5}, []float64{0.96, 0.91, 0.935}, []float64{1, 0, 0.5}, (0.625 / 0.9) / (1 + 0.625/0.9)},
		{"words alone", []float64{4, 2, 0}, nil, []float64{1, 0.5, 0}, 0},
		{"meaning alone", nil, []float64{-0.2, 0.3}, []float64{0, 1}, 1},
		{"no word in common", []float64{0, 0}, []float64{0.1, 0.2}, []float64{0, 1}, 1},
		{"one candidate", []float64{3}, []float64{0.4}, []float64{0}, 0},
		{"none", nil, nil, []float64{}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, weight := fusion.Scores(tt.bm25, tt.cosines)
			require.InDeltaSlice(t, tt.want, got, 1e-9)
			require.Len(t, got, len(tt.want))
			require.InDelta(t, tt.weight, weight, 1e-9)
		})
	}
}

func TestRelevance(t *testing.T) {
	t.Parallel()
	require.Zero(t, fusion.Words(0))
	require.InDelta(t, 0.816, fusion.Words(1), 0.001)
	require.Greater(t, fusion.Words(0.05), 0.2, "a twentieth of the question is still above the default threshold")
	require.LessOrEqual(t, fusion.Words(1e9), 1.0)
	require.Zero(t, fusion.Meaning(-0.3))
	require.InDelta(t, 1, fusion.Meaning(1.0001), 0)
	require.InDelta(t, 0.5, fusion.Both(0, 0.5), 0, "other words do not make it less")
	require.InDelta(t, 0.7, fusion.Both(0.8, 0.6), 1e-9)
}
