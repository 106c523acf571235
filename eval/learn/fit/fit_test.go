package fit_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/learn/fit"
	"docqa/internal/engine/forest"
)

// island returns points in a square. Those in a smaller square are true.
func island(n int) (points [][]float64, labels []float64) {
	random := rand.New(rand.NewPCG(3, 4))
	for range n {
		p := []float64{random.Float64(), random.Float64(), random.Float64()}
		points = append(points, p)
		label := 0.0
		if p[0] > 0.3 && p[0] < 0.7 && p[1] > 0.5 {
			label = 1
		}
		labels = append(labels, label)
	}
	return points, labels
}

func share(m *forest.Model, points [][]float64, labels []float64) float64 {
	right := 0
	for i, p := range points {
		if (m.Chance(p) > 0.5) == (labels[i] == 1) {
			right++
		}
	}
	return float64(right) / float64(len(points))
}

func TestTrees(t *testing.T) {
	t.Parallel()
	points, labels := island(3000)
	m := fit.Trees([]string{"x", "y", "z"}, points[:2000], fit.Logistic(labels[:2000], nil), fit.Options{Trees: 150})
	require.Greater(t, share(m, points[2000:], labels[2000:]), 0.95)
	again := fit.Trees([]string{"x", "y", "z"}, points[:2000], fit.Logistic(labels[:2000], nil), fit.Options{Trees: 150})
	require.Equal(t, m, again, "the same examples give the same model")
}

func TestLinear(t *testing.T) {
	t.Parallel()
	points, labels := island(2000)
	for i, p := range points {
		labels[i] = 0
		if 2*p[0]-p[1] > 0.5 {
			labels[i] = 1
		}
	}
	m := fit.Linear([]string{"x", "y", "z"}, points, fit.Logistic(labels, nil), fit.LinearOptions{Ridge: 1, Steps: 1000})
	require.Greater(t, share(m, points, labels), 0.95)
	require.InDelta(t, -2, m.Weights[0]/m.Weights[1], 0.3)
	require.InDelta(t, 0, m.Weights[2]/m.Weights[0], 0.1)
}

func TestLinear_directions(t *testing.T) {
	t.Parallel()
	points, labels := island(500)
	names := []string{"x", "y", "z"}
	m := fit.Linear(names, points, fit.Logistic(labels, nil), fit.LinearOptions{Ridge: 1, Steps: 300, Directions: map[string]float64{"y": -1}})
	require.Zero(t, m.Weights[1], "the examples point the other way")
	m = fit.Linear(names, points, fit.Logistic(labels, nil), fit.LinearOptions{Ridge: 1, Steps: 300, Directions: map[string]float64{"y": 1}})
	require.Positive(t, m.Weights[1])
}

func TestListwise(t *testing.T) {
	t.Parallel()
	points, labels := island(1500)
	groups := make([]int, len(points))
	for i := range groups {
		groups[i] = i / 10
	}
	m := fit.Trees([]string{"x", "y", "z"}, points, fit.Listwise(labels, groups), fit.Options{})
	right, all := 0, 0
	for from := 0; from < len(points); from += 10 {
		best, some := from, false
		for i := from; i < from+10; i++ {
			if m.Score(points[i]) > m.Score(points[best]) {
				best = i
			}
			some = some || labels[i] == 1
		}
		if some {
			all++
			right += int(labels[best])
		}
	}
	require.Greater(t, float64(right)/float64(all), 0.95)
}
