package textbook

import (
	"cmp"
	"math"
	"slices"

	"docqa/internal/evaluation/score"
)

const (
	k1 = 1.2
	b  = .75
)

type posting struct{ unit, count int }

// Index ranks units.
type Index struct {
	language string
	units    []Unit
	lengths  []float64
	mean     float64
	postings map[string][]posting
}

// New indexes units, each with its document's title in front, in a language (BCP 47).
func New(units []Unit, language string) *Index {
	x := &Index{language: language, units: units, postings: map[string][]posting{}, lengths: make([]float64, len(units))}
	for i, u := range units {
		list := terms(Title(u.File)+"\n"+u.Text, language)
		x.lengths[i] = float64(len(list))
		x.mean += float64(len(list)) / float64(len(units))
		counts := map[string]int{}
		for _, t := range list {
			counts[t]++
		}
		for t, n := range counts {
			x.postings[t] = append(x.postings[t], posting{i, n})
		}
	}
	return x
}

// Search returns the best k units, best first; ties keep the order of the index.
func (x *Index) Search(query string, k int) []score.Passage {
	scores := map[int]float64{}
	for _, t := range terms(query, x.language) {
		list := x.postings[t]
		n := float64(len(x.units))
		idf := math.Log(1 + (n-float64(len(list))+.5)/(float64(len(list))+.5))
		for _, p := range list {
			tf := float64(p.count)
			scores[p.unit] += idf * tf * (k1 + 1) / (tf + k1*(1-b+b*x.lengths[p.unit]/x.mean))
		}
	}
	order := make([]int, 0, len(scores))
	for i := range scores {
		order = append(order, i)
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(scores[j], scores[i]), cmp.Compare(i, j)) })
	found := make([]score.Passage, min(k, len(order)))
	for i := range found {
		u := x.units[order[i]]
		found[i] = score.Passage{File: u.File, Page: u.Page, Text: u.Text}
	}
	return found
}
