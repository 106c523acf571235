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
	return Directed(names, examples, loss, ridge, steps, nil)
}

// Directed learns as Weights does, but gives no feature a weight against the direction
// that it is known to point in: +1 up, -1 down. Features without one are free.
func Directed(names []string, examples [][]float64, loss Loss, ridge float64, steps int, directions map[string]float64) *forest.Model {
	mean, spread := spreads(len(names), examples)
	n, k := len(examples), len(names)
	x := make([]float64, 0, n*k) // of the same spread, row after row
	for _, e := range examples {
		for f, v := range e {
			x = append(x, (v-mean[f])/spread[f])
		}
	}
	w := make([]float64, k+1) // the bias last
	scores, slope, curve := make([]float64, n), make([]float64, n), make([]float64, n)
	g, first, second := make([]float64, k+1), make([]float64, k+1), make([]float64, k+1)
	for step := 1; step <= steps; step++ {
		for i := range scores {
			scores[i] = w[k] + inner(w[:k], x[i*k:(i+1)*k])
		}
		loss(scores, slope, curve)
		clear(g)
		for i, s := range slope {
			g[k] += s
			for f, v := range x[i*k : (i+1)*k] {
				g[f] += s * v
			}
		}
		for f := range g { // a step of Adam
			if f < k {
				g[f] += ridge * w[f]
			}
			g[f] /= float64(n)
			first[f] = 0.9*first[f] + 0.1*g[f]
			second[f] = 0.99*second[f] + 0.01*g[f]*g[f]
			w[f] -= rate * (first[f] / (1 - math.Pow(0.9, float64(step)))) / (math.Sqrt(second[f]/(1-math.Pow(0.99, float64(step)))) + 1e-10)
			if f < k && w[f]*directions[names[f]] < 0 {
				w[f] = 0
			}
		}
	}
	m := &forest.Model{Features: names, Bias: w[k], Weights: make([]float64, k)}
	for f := range m.Weights {
		m.Weights[f] = rounded(w[f] / spread[f])
		m.Bias -= w[f] * mean[f] / spread[f]
	}
	m.Bias = rounded(m.Bias)
	return m
}

// rate is the length of a step of Weights.
const rate = 0.03

func inner(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// Both learns weights, and then trees that correct them where features work together.
func Both(names []string, examples [][]float64, loss Loss, ridge float64, steps int, o Options) *forest.Model {
	m := Weights(names, examples, loss, ridge, steps)
	before := make([]float64, len(examples))
	for i, x := range examples {
		before[i] = m.Score(x)
	}
	sum := make([]float64, len(examples))
	m.Trees = Trees(names, examples, func(scores, slope, curve []float64) {
		for i, s := range scores {
			sum[i] = before[i] + s
		}
		loss(sum, slope, curve)
	}, o).Trees
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
