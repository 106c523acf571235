package ranking

import (
	"hash/fnv"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"docqa/eval/dataset"
	"docqa/eval/learn/corpora"
	"docqa/internal/engine/forest"
	"docqa/internal/engine/rank"
)

// Order returns the candidates of c in the order of a model. nil means the order in which they were found.
func (c *Case) Order(m *forest.Model) []*corpora.Chunk {
	order := make([]*corpora.Chunk, len(c.Candidates))
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

// Rank returns the place of the first hit in the order of a model, or 0 if none of the first ten is one.
func (c *Case) Rank(m *forest.Model) int { return c.Corpus.Rank(c.Question, c.Order(m)) }

// Across ranks each case by a model that was trained on the groups of other folds.
func Across(cases []*Case, folds uint32, train func([]*Case) *forest.Model) []int {
	return crossValidate(cases, train, func(c *Case) int {
		return fold(c.Group, folds)
	})
}

func fold(group string, folds uint32) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(group))
	return int(h.Sum32() % folds)
}

// Orders holds a model for each fold, which was trained without the groups of that fold. Training on ordered passages uses it, so that no
// model has seen the answers to the questions whose passages it orders.
type Orders [folds]*forest.Model

// Cross trains the models on the cases of sets that are Usable.
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

// Order returns the indexes of the candidates of c, the best first, by the model that was trained without its group.
func (o *Orders) Order(c *Case) []int {
	places, _ := rank.By(o[fold(c.Group, folds)], c.Features)
	return places
}

// LeaveOut ranks each case by a model that was trained on sets about other subjects.
func LeaveOut(cases []*Case, train func([]*Case) *forest.Model) []int {
	var subjects []string
	return crossValidate(cases, train, func(c *Case) int {
		subject := dataset.Subject(c.Corpus.Set.Name)
		if !slices.Contains(subjects, subject) {
			subjects = append(subjects, subject)
		}
		return slices.Index(subjects, subject)
	})
}

// crossValidate ranks the cases of each part by a model that was trained on the other parts.
func crossValidate(cases []*Case, train func([]*Case) *forest.Model, part func(*Case) int) []int {
	parts := make([]int, len(cases))
	last := 0
	for i, c := range cases {
		parts[i] = part(c)
		last = max(last, parts[i])
	}
	ranks := make([]int, len(cases))
	for p := range last + 1 {
		var others []*Case
		for i, c := range cases {
			if parts[i] != p {
				others = append(others, c)
			}
		}
		if len(others) == len(cases) {
			continue
		}
		m := train(others)
		for i, c := range cases {
			if parts[i] == p {
				ranks[i] = c.Rank(m)
			}
		}
	}
	return ranks
}
