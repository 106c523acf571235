package forest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/forest"
)

func TestModel(t *testing.T) {
	t.Parallel()
	names := []string{"long", "late"}
	m, err := forest.Parse([]byte(`{"features":["long","late"],"bias":1,"weights":[2,0],
		"trees":[{"f":[0,1],"t":[0.5,0.5],"l":[0,10,20,30]}]}`), names)
	require.NoError(t, err)
	require.InDelta(t, 1, m.Score([]float64{0, 0}), 1e-9)
	require.InDelta(t, 11, m.Score([]float64{0, 1}), 1e-9)
	require.InDelta(t, 23, m.Score([]float64{1, 0.5}), 1e-9, "at the threshold the answer is no")
	require.InDelta(t, 33, m.Score([]float64{1, 1}), 1e-9)
	require.InDelta(t, 1/(1+1/2.718281828459045), m.Chance([]float64{0, 0}), 1e-9)
}

func TestParse_refusesWhatIsBroken(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]forest.Model{
		"other features": {Features: []string{"b"}},
		"few weights":    {Features: []string{"a"}, Weights: []float64{1, 2}},
		"few leaves":     {Features: []string{"a"}, Trees: []forest.Tree{{Features: []int{0}, Thresholds: []float64{1}, Leaves: []float64{1}}}},
		"no such place":  {Features: []string{"a"}, Trees: []forest.Tree{{Features: []int{1}, Thresholds: []float64{1}, Leaves: []float64{1, 2}}}},
	} {
		data, err := json.Marshal(m)
		require.NoError(t, err)
		_, err = forest.Parse(data, []string{"a"})
		require.Error(t, err, name)
	}
	_, err := forest.Parse([]byte("{"), nil)
	require.Error(t, err)
}
