package ranking

import (
	"hash/fnv"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"docqa/eval/dataset"
	"docqa/eval/learn/lab"
	"docqa/internal/engine/forest"
	"docqa/internal/engine/rank"
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
		return fold(c.Group, folds)
	})
}

func fold(group string, folds uint32) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(group))
	return int(h.Sum32() % folds)
}

// Orders are models of which each was learned without one fold of the groups: what is
// learned from passages in their order sees no order that knows its answers.
type Orders [folds]*forest.Model

// Cross learns them, from the cases of sets that are Usable.
func Cross(cases []*Case) *Orders {
	var all Orders
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for k := range all {
		group.Go(func() error {
			all[k] = Fit(slices.DeleteFunc(slices.Clone(cases), func(c *Case) bool {
				return len(c.Question.Gold) == 0 || fold(c.Group, folds) == k || len(Usable([]string{c.Corpus.Set.Name})) == 0
			}))
			return nil
		})
	}
	_ = group.Wait()
	return &all
}

// Order returns the places of a case's candidates, the best first, by the model that did
// not see its group.
func (o *Orders) Order(c *Case) []int {
	places, _ := rank.By(o[fold(c.Group, folds)], c.Features)
	return places
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
