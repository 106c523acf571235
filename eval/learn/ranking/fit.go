package ranking

import (
	"math"
	"slices"
	"strings"

	"docqa/eval/learn/fit"
	"docqa/internal/engine/forest"
	"docqa/internal/engine/rank"
)

// mostCases is how many cases of one set, in all its languages, are learned from.
const mostCases = 240

// level is how far large and small sets count alike: 0 = each case, 1 = each set.
const level = 0.7

// Fit learns from cases the chance that a candidate answers. Shallow trees and small
// steps do better on sets that were left out than more of either.
func Fit(cases []*Case) *forest.Model {
	var examples [][]float64
	var labels, weights []float64
	cases = spread(cases)
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
			weights = append(weights, math.Pow(perSet[c.set()]/100, -level))
		}
	}
	return fit.Trees(rank.Names(), examples, fit.Yes(labels, weights), fit.Options{Trees: 160, Depth: 3, Rate: 0.07, Ridge: 40})
}

// set is the set's name without its language.
func (c *Case) set() string {
	name, _, _ := strings.Cut(c.Corpus.Set.Name, "-")
	return name
}

// spread takes at most mostCases of each set.
func spread(cases []*Case) []*Case {
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
		n := min(len(all), mostCases)
		for i := range n {
			out = append(out, all[i*len(all)/n])
		}
	}
	return out
}
