package fit

import (
	"math"

	"docqa/internal/engine/forest"
)

// Yes is the loss of a chance: example i is true where labels[i] is 1, and counts
// weights[i] times; nil weights count each once.
func Yes(labels, weights []float64) Loss {
	return func(scores, slope, curve []float64) {
		for i, s := range scores {
			w := 1.0
			if weights != nil {
				w = weights[i]
			}
			p := 1 / (1 + math.Exp(-s))
			slope[i], curve[i] = w*(p-labels[i]), max(w*p*(1-p), 1e-9)
		}
	}
}

// First is the loss of an order: of the examples in one group, which lie side by side,
// those with a label should come first. Groups without a label do not count.
func First(labels []float64, groups []int) Loss {
	return func(scores, slope, curve []float64) {
		for from := 0; from < len(groups); {
			to := from + 1
			for to < len(groups) && groups[to] == groups[from] {
				to++
			}
			first(scores[from:to], labels[from:to], slope[from:to], curve[from:to])
			from = to
		}
	}
}

// first is the loss of one group: minus the logarithm of the share of the labelled ones.
func first(scores, labels, slope, curve []float64) {
	most := math.Inf(-1)
	for _, s := range scores {
		most = max(most, s)
	}
	var all, right float64
	for i, s := range scores {
		e := math.Exp(s - most)
		slope[i] = e
		all += e
		right += e * labels[i]
	}
	for i := range scores {
		e := slope[i]
		p := e / all
		slope[i], curve[i] = 0, 1e-9
		if right > 0 {
			slope[i] = p - e*labels[i]/right
			curve[i] = max(p*(1-p), 1e-3)
		}
	}
}

// Weights learns one weight a feature by the same losses: slower steps, a model that
// goes on where examples end. The ridge holds all weights small, after each feature was
// brought to the same spread.
func Weights(names []string, examples [][]float64, loss Loss, ridge float64, steps int) *forest.Model {
	mean, spread := spreads(len(names), examples)
	n := len(examples)
	w, bias := make([]float64, len(names)), 0.0
	scores, slope, curve := make([]float64, n), make([]float64, n), make([]float64, n)
	first, second := make([]float64, len(names)+1), make([]float64, len(names)+1)
	for step := 1; step <= steps; step++ {
		for i, x := range examples {
			scores[i] = bias
			for f, v := range x {
				scores[i] += w[f] * (v - mean[f]) / spread[f]
			}
		}
		loss(scores, slope, curve)
		g := make([]float64, len(names)+1)
		for i, x := range examples {
			for f, v := range x {
				g[f] += slope[i] * (v - mean[f]) / spread[f]
			}
			g[len(names)] += slope[i]
		}
		for f := range w {
			g[f] += ridge * w[f]
		}
		for f := range g { // Adam
			g[f] /= float64(n)
			first[f] = 0.9*first[f] + 0.1*g[f]
			second[f] = 0.999*second[f] + 0.001*g[f]*g[f]
			move := 0.02 * (first[f] / (1 - math.Pow(0.9, float64(step)))) / (math.Sqrt(second[f]/(1-math.Pow(0.999, float64(step)))) + 1e-10)
			if f < len(w) {
				w[f] -= move
			} else {
				bias -= move
			}
		}
	}
	m := &forest.Model{Features: names, Weights: make([]float64, len(names))}
	for f := range w {
		m.Weights[f] = rounded(w[f] / spread[f])
		bias -= w[f] * mean[f] / spread[f]
	}
	m.Bias = rounded(bias)
	return m
}

func spreads(features int, examples [][]float64) (mean, spread []float64) {
	mean, spread = make([]float64, features), make([]float64, features)
	for _, x := range examples {
		for f, v := range x {
			mean[f] += v / float64(len(examples))
		}
	}
	for _, x := range examples {
		for f, v := range x {
			spread[f] += (v - mean[f]) * (v - mean[f]) / float64(len(examples))
		}
	}
	for f := range spread {
		spread[f] = max(math.Sqrt(spread[f]), 1e-6)
	}
	return mean, spread
}
