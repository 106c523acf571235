package fit

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"docqa/internal/engine/forest"
)

// Options bound the trees. A zero value means the default in brackets.
type Options struct {
	Trees   int     // number of trees [100]
	Depth   int     // splits of a tree [3]
	Rate    float64 // share of a step that is taken [0.1]
	Ridge   float64 // weight of the penalty on leaves [10]
	Columns float64 // share of the features that a tree may split by [0.6]
	Bins    int     // ranges into which the values of a feature are divided [48]
	// Base is a linear model that the trees correct, nil for none. The trees then tell what depends on several features together.
	Base *forest.Model
}

func (o Options) withDefaults() Options {
	return Options{
		Trees: cmp.Or(o.Trees, 100), Depth: cmp.Or(o.Depth, 3), Rate: cmp.Or(o.Rate, 0.1), Ridge: cmp.Or(o.Ridge, 10),
		Columns: cmp.Or(o.Columns, 0.6), Bins: cmp.Or(o.Bins, 48), Base: o.Base,
	}
}

// Loss writes the slope and the curvature of the loss by the score of each example.
type Loss func(scores, slope, curve []float64)

// Seed is the seed of what is chosen by chance: which features a tree may split by.
const Seed = "PCG 1, 2"

// Trees trains a model by gradient boosting: each tree corrects those before it.
func Trees(names []string, examples [][]float64, loss Loss, o Options) *forest.Model {
	o = o.withDefaults()
	b := &booster{o: o, random: rand.New(rand.NewPCG(1, 2)), scores: make([]float64, len(examples))} //nolint:gosec // which features a tree sees is no secret
	b.slope, b.curve, b.leaf = make([]float64, len(examples)), make([]float64, len(examples)), make([]int, len(examples))
	b.bin(len(names), examples)
	m := &forest.Model{Features: names}
	if o.Base != nil {
		m.Bias, m.Weights = o.Base.Bias, o.Base.Weights
		for i, e := range examples {
			b.scores[i] = o.Base.Score(e)
		}
	}
	for range o.Trees {
		loss(b.scores, b.slope, b.curve)
		m.Trees = append(m.Trees, b.tree())
	}
	return m
}

type booster struct {
	o            Options
	random       *rand.Rand
	edges        [][]float64 // by feature: the possible thresholds
	binned       [][]uint8   // by feature and example: how many edges lie below the value
	scores       []float64
	slope, curve []float64
	leaf         []int // by example: its leaf in the tree that is being grown
}

// bin divides the values of each feature into ranges.
func (b *booster) bin(features int, examples [][]float64) {
	values := make([]float64, len(examples))
	for f := range features {
		for i := range examples {
			values[i] = examples[i][f]
		}
		edges := edgesOf(slices.Sorted(slices.Values(values)), b.o.Bins)
		bins := make([]uint8, len(values))
		for i, v := range values {
			place, _ := slices.BinarySearch(edges, v)
			bins[i] = uint8(place)
		}
		b.edges, b.binned = append(b.edges, edges), append(b.binned, bins)
	}
}

// edgesOf returns the edges of the ranges: half of them so that the ranges hold about the same number of examples, half so that they hold
// about the same number of different values, since a value that few examples have may tell much.
func edgesOf(sorted []float64, bins int) []float64 {
	var edges []float64
	for _, values := range [][]float64{sorted, slices.Compact(slices.Clone(sorted))} {
		for k := 1; k <= bins/2 && len(values) > 0; k++ {
			if edge := rounded(values[min(len(values)-1, (k-1)*len(values)/(bins/2)+len(values)/bins)]); edge < sorted[len(sorted)-1] {
				edges = append(edges, edge)
			}
		}
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	return edges[:min(len(edges), bins-1)]
}

// tree grows one tree and adds it to the scores.
func (b *booster) tree() forest.Tree {
	var t forest.Tree
	clear(b.leaf)
	allowed := b.columns()
	for range b.o.Depth {
		f, k, ok := b.split(allowed, 1<<len(t.Features))
		if !ok {
			break
		}
		t.Features, t.Thresholds = append(t.Features, f), append(t.Thresholds, b.edges[f][k])
		for i := range b.leaf {
			b.leaf[i] <<= 1
			if int(b.binned[f][i]) > k {
				b.leaf[i] |= 1
			}
		}
	}
	n := 1 << len(t.Features)
	slope, curve := make([]float64, n), make([]float64, n)
	for i, l := range b.leaf {
		slope[l] += b.slope[i]
		curve[l] += b.curve[i]
	}
	t.Leaves = make([]float64, n)
	for l := range t.Leaves {
		t.Leaves[l] = rounded(-b.o.Rate * slope[l] / (curve[l] + b.o.Ridge))
	}
	for i, l := range b.leaf {
		b.scores[i] += t.Leaves[l]
	}
	return t
}

func (b *booster) columns() []int {
	order := b.random.Perm(len(b.edges))
	return order[:max(1, int(math.Ceil(b.o.Columns*float64(len(order)))))]
}

// split finds the feature and threshold that gain most if all leaves are split by them.
func (b *booster) split(allowed []int, leaves int) (feature, edge int, ok bool) {
	best := 1e-9
	slope, curve := make([]float64, leaves*b.o.Bins), make([]float64, leaves*b.o.Bins)
	whole := b.gain(leaves)
	for _, f := range allowed {
		clear(slope)
		clear(curve)
		for i, l := range b.leaf {
			at := l*b.o.Bins + int(b.binned[f][i])
			slope[at] += b.slope[i]
			curve[at] += b.curve[i]
		}
		gains := make([]float64, len(b.edges[f]))
		for l := range leaves {
			b.sweep(slope[l*b.o.Bins:(l+1)*b.o.Bins], curve[l*b.o.Bins:(l+1)*b.o.Bins], gains)
		}
		for k, g := range gains {
			if g-whole > best {
				best, feature, edge, ok = g-whole, f, k, true
			}
		}
	}
	return feature, edge, ok
}

// gain returns the gain of the leaves as they are.
func (b *booster) gain(leaves int) float64 {
	slope, curve := make([]float64, leaves), make([]float64, leaves)
	for i, l := range b.leaf {
		slope[l] += b.slope[i]
		curve[l] += b.curve[i]
	}
	sum := 0.0
	for l := range slope {
		sum += slope[l] * slope[l] / (curve[l] + b.o.Ridge)
	}
	return sum
}

// sweep adds the gain of splitting a leaf at each edge.
func (b *booster) sweep(slope, curve, gains []float64) {
	var allSlope, allCurve, lowSlope, lowCurve float64
	for i := range slope {
		allSlope += slope[i]
		allCurve += curve[i]
	}
	for k := range gains {
		lowSlope += slope[k]
		lowCurve += curve[k]
		high := allSlope - lowSlope
		gains[k] += lowSlope*lowSlope/(lowCurve+b.o.Ridge) + high*high/(allCurve-lowCurve+b.o.Ridge)
	}
}

// rounded keeps five digits: more make the file long and the model no better.
func rounded(v float64) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0
	}
	scale := math.Pow(10, 5-math.Ceil(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}
