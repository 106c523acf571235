package fit

import (
	"math"

	"docqa/internal/engine/forest"
)

// LinearOptions bound the weights of a linear model.
type LinearOptions struct {
	Ridge float64 // weight of the penalty on large weights
	Steps int     // of gradient descent
	// Directions holds the sign that the weight of a feature may have, +1 or -1. Features without one may have any.
	Directions map[string]float64
}

// Linear trains one weight for each feature. Unlike trees, such a model still tells values apart beyond those of the examples.
func Linear(names []string, examples [][]float64, loss Loss, o LinearOptions) *forest.Model {
	d := newDescent(names, examples, o)
	scores, slope, curve := make([]float64, d.examples), make([]float64, d.examples), make([]float64, d.examples)
	for step := 1; step <= o.Steps; step++ {
		d.score(scores)
		loss(scores, slope, curve)
		d.gradient(slope)
		d.step(step)
	}
	return d.model()
}

// rate is the length of a step of gradient descent.
const rate = 0.03

// descent trains weights by Adam on features of mean 0 and spread 1.
//
// Source: Kingma and Ba, Adam: a method for stochastic optimization, 2015.
type descent struct {
	o              LinearOptions
	names          []string
	examples       int
	values         []float64 // example after example
	mean, spread   []float64 // of the features as they were given
	weights        []float64 // the bias is last, as in the next three
	slopes         []float64
	moment, second []float64 // moving averages of the slopes and of their squares
}

func newDescent(names []string, examples [][]float64, o LinearOptions) *descent {
	n, k := len(examples), len(names)
	d := &descent{o: o, names: names, examples: n, values: make([]float64, 0, n*k)}
	d.mean, d.spread = spreads(k, examples)
	for _, e := range examples {
		for f, v := range e {
			d.values = append(d.values, (v-d.mean[f])/d.spread[f])
		}
	}
	d.weights, d.slopes, d.moment, d.second = make([]float64, k+1), make([]float64, k+1), make([]float64, k+1), make([]float64, k+1)
	return d
}

// example returns the values of example i.
func (d *descent) example(i int) []float64 {
	k := len(d.names)
	return d.values[i*k : (i+1)*k]
}

func (d *descent) score(scores []float64) {
	k := len(d.names)
	for i := range scores {
		scores[i] = d.weights[k] + inner(d.weights[:k], d.example(i))
	}
}

// gradient computes the slope of the loss by each weight, from its slope by each score.
func (d *descent) gradient(slope []float64) {
	clear(d.slopes)
	for i, s := range slope {
		d.slopes[len(d.names)] += s
		for f, v := range d.example(i) {
			d.slopes[f] += s * v
		}
	}
}

// step changes the weights; n counts the steps from 1.
func (d *descent) step(n int) {
	w, g, first, second := d.weights, d.slopes, d.moment, d.second
	k := len(d.names)
	for f := range g {
		if f < k {
			g[f] += d.o.Ridge * w[f]
		}
		g[f] /= float64(d.examples)
		first[f] = 0.9*first[f] + 0.1*g[f]
		second[f] = 0.99*second[f] + 0.01*g[f]*g[f]
		w[f] -= rate * (first[f] / (1 - math.Pow(0.9, float64(n)))) / (math.Sqrt(second[f]/(1-math.Pow(0.99, float64(n)))) + 1e-10)
		if f < k && w[f]*d.o.Directions[d.names[f]] < 0 {
			w[f] = 0
		}
	}
}

// model returns the weights for features as they were given.
func (d *descent) model() *forest.Model {
	k := len(d.names)
	m := &forest.Model{Features: d.names, Bias: d.weights[k], Weights: make([]float64, k)}
	for f := range m.Weights {
		m.Weights[f] = rounded(d.weights[f] / d.spread[f])
		m.Bias -= d.weights[f] * d.mean[f] / d.spread[f]
	}
	m.Bias = rounded(m.Bias)
	return m
}

// Scale multiplies all scores of a model.
func Scale(m *forest.Model, by float64) {
	m.Bias = rounded(m.Bias * by)
	for i := range m.Weights {
		m.Weights[i] = rounded(m.Weights[i] * by)
	}
	for _, t := range m.Trees {
		for i := range t.Leaves {
			t.Leaves[i] = rounded(t.Leaves[i] * by)
		}
	}
}

func inner(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// spreads returns the mean and the standard deviation of each feature.
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
