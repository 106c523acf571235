package rank

import (
	"slices"

	"docqa/internal/engine/lexical"
)

// Order returns the places of the candidates, the best first, and their scores in
// that order, 0 to 1.
func Order(q *lexical.Question, candidates []Candidate) (places []int, scores []float64) {
	f := Of(q, candidates)
	places = make([]int, len(candidates))
	all := make([]float64, len(candidates))
	for i := range candidates {
		places[i] = i
		all[i] = score(f[i])
	}
	slices.SortStableFunc(places, func(a, b int) int {
		switch {
		case all[a] > all[b]:
			return -1
		case all[a] < all[b]:
			return 1
		}
		return 0
	})
	scores = make([]float64, len(candidates))
	for i, p := range places {
		scores[i] = all[p]
	}
	return places, scores
}

// score is the sum of the features by weights that were fitted on several
// collections at once, each judged by the others.
func score(f Features) float64 {
	weights := Features{fBM25: 1, fCoverage: 0.15, fPairs: 0.6, fNames: 0.2, fHeadings: 0.1}
	sum, most := 0.0, 0.0
	for i, w := range weights {
		sum += w * f[i]
		most += w
	}
	return sum / most
}
