package ranking

import (
	"hash/fnv"
	"slices"

	"docqa/internal/engine/forest"
	"docqa/internal/engine/rank"
	"docqa/internal/evaluation/dataset"
	"docqa/internal/evaluation/lab"
)

// Order returns the candidates of c in the order of a model; nil: as they were found.
func (c *Case) Order(m *forest.Model) []*lab.Chunk {
	order := make([]*lab.Chunk, len(c.Candidates))
	if m == nil {
		for i := range c.Candidates {
			order[i] = c.Candidates[i].Chunk
		}
		return order
	}
	places, _ := rank.By(m, c.Features)
	for i, place := range places {
		order[i] = c.Candidates[place].Chunk
	}
	return order
}

// Rank is the place of the first hit in the order of a model; 0 = none of ten.
func (c *Case) Rank(m *forest.Model) int { return c.Corpus.Rank(c.Question, c.Order(m)) }

// Across ranks each case by a model that was learned from other documents: folds of the
// groups.
func Across(cases []*Case, folds uint32, learn func([]*Case) *forest.Model) []int {
	return split(cases, learn, func(c *Case) int {
		h := fnv.New32a()
		_, _ = h.Write([]byte(c.Group))
		return int(h.Sum32() % folds)
	})
}

// LeaveOut ranks each case by a model that was learned from sets about other things.
func LeaveOut(cases []*Case, learn func([]*Case) *forest.Model) []int {
	var kinds []string
	return split(cases, learn, func(c *Case) int {
		kind := dataset.Kin(c.Corpus.Set.Name)
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		return slices.Index(kinds, kind)
	})
}

// split ranks the cases of each part by what was learned from the other parts.
func split(cases []*Case, learn func([]*Case) *forest.Model, part func(*Case) int) []int {
	parts := make([]int, len(cases))
	most := 0
	for i, c := range cases {
		parts[i] = part(c)
		most = max(most, parts[i])
	}
	ranks := make([]int, len(cases))
	for p := range most + 1 {
		var others []*Case
		for i, c := range cases {
			if parts[i] != p {
				others = append(others, c)
			}
		}
		if len(others) == len(cases) {
			continue
		}
		m := learn(others)
		for i, c := range cases {
			if parts[i] == p {
				ranks[i] = c.Rank(m)
			}
		}
	}
	return ranks
}
