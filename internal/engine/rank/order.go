package rank

import (
	"cmp"
	"slices"

	"docqa/internal/engine/forest"
	"docqa/internal/engine/lexical"
)

// Order returns the indexes of the candidates, the best first, and in the same order the
// chance, 0 to 1, that each answers the question.
func (r *Ranker) Order(q *lexical.Question, candidates []Candidate) (places []int, chances []float64) {
	return By(r.model(candidates), FeaturesOf(q, candidates))
}

// By sorts candidates with these features by a model. It returns what Order returns.
func By(m *forest.Model, features []Features) (places []int, chances []float64) {
	all := make([]float64, len(features))
	places = make([]int, len(features))
	for i := range features {
		places[i], all[i] = i, m.Chance(features[i][:])
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(all[b], all[a]) })
	chances = make([]float64, len(places))
	for i, p := range places {
		chances[i] = all[p]
	}
	return places, chances
}
