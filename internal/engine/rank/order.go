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
	places, chances = By(r.model(candidates), FeaturesOf(q, candidates))
	return prefer(q, candidates, places, chances)
}

// otherVersion is what remains of the chance of a passage whose document is another version of
// the one that the question names.
const otherVersion = 0.2

// prefer puts passages of a document that the question names by title and version before those
// of its other versions: "GPL 3" before "GPL 2". A question that names both, or a version
// that no title has, changes nothing.
func prefer(q *lexical.Question, candidates []Candidate, places []int, chances []float64) ([]int, []float64) {
	asked := q.Versions()
	if len(asked) == 0 {
		return places, chances
	}
	conflicts, named := make([]bool, len(candidates)), make([]bool, len(candidates))
	for i := range candidates {
		for name, numbers := range lexical.Versions(candidates[i].Title) {
			if wanted := asked[name]; len(wanted) > 0 {
				same := slices.ContainsFunc(numbers, func(n string) bool { return slices.Contains(wanted, n) })
				named[i], conflicts[i] = named[i] || same, !same
			}
		}
	}
	best := slices.IndexFunc(places, func(place int) bool { return named[place] })
	if best < 0 {
		return places, chances
	}
	highest := chances[best]
	for i, place := range places {
		if conflicts[place] && !named[place] {
			chances[i] = min(chances[i], highest) * otherVersion
		}
	}
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(chances[b], chances[a]) })
	sortedPlaces, sortedChances := make([]int, len(places)), make([]float64, len(places))
	for i, o := range order {
		sortedPlaces[i], sortedChances[i] = places[o], chances[o]
	}
	return sortedPlaces, sortedChances
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
