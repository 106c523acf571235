package ranking

import (
	"math"
	"slices"
	"strings"

	"docqa/eval/learn/fit"
	"docqa/internal/engine/forest"
	"docqa/internal/engine/rank"
)

// maxCases is how many cases of one set, in all its languages, are trained on at most.
const maxCases = 240

// balance says what counts the same: 0 = each case, 1 = each set, however large it is.
const balance = 0.7

// Fit trains a model of the probability that a candidate answers. Shallow trees and small steps do better on sets that were left out than
// deeper trees or larger steps.
func Fit(cases []*Case) *forest.Model {
	var examples [][]float64
	var labels, weights []float64
	cases = limitCases(cases)
	perSet := map[string]float64{}
	for _, c := range cases {
		perSet[c.set()]++
	}
	for _, c := range cases {
		if !slices.ContainsFunc(c.Labels, func(l float64) bool { return l > 0 }) {
			continue
		}
		for i := range c.Features {
			examples, labels = append(examples, c.Features[i][:]), append(labels, c.Labels[i])
			weights = append(weights, math.Pow(perSet[c.set()]/100, -balance))
		}
	}
	return fit.Trees(rank.Names(), examples, fit.Logistic(labels, weights), fit.Options{Trees: 160, Depth: 3, Rate: 0.07, Ridge: 40})
}

// set returns the name of the set without its language.
func (c *Case) set() string {
	name, _, _ := strings.Cut(c.Corpus.Set.Name, "-")
	return name
}

// limitCases keeps at most maxCases of each set, evenly spread.
func limitCases(cases []*Case) []*Case {
	bySet := map[string][]*Case{}
	var names []string
	for _, c := range cases {
		name := c.set()
		if bySet[name] == nil {
			names = append(names, name)
		}
		bySet[name] = append(bySet[name], c)
	}
	var out []*Case
	for _, name := range names {
		all := bySet[name]
		n := min(len(all), maxCases)
		for i := range n {
			out = append(out, all[i*len(all)/n])
		}
	}
	return out
}
