package answering

import (
	"hash/fnv"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"docqa/internal/engine/answer"
	"docqa/internal/engine/forest"
	"docqa/internal/evaluation/fit"
)

// folds is into how many parts the documents are dealt.
const folds = 5

// fold is the part that an example's document belongs to.
func (e *example) fold() int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(e.group))
	return int(h.Sum32()>>4) % folds
}

// sheet are the examples with what was read in them by models that did not learn from
// them.
type sheet struct {
	words    bool
	examples []example
	readings []answer.Reading
	labels   [][]float64 // of each statement
	debug    func(e *example) *forest.Model
}

func (s *sheet) names() []string {
	if s.words {
		return answer.WordStatementFeatures()
	}
	return answer.StatementFeatures()
}

func each(n int, do func(i int)) {
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	const part = 64
	for from := 0; from < n; from += part {
		group.Go(func() error {
			for i := from; i < min(from+part, n); i++ {
				do(i)
			}
			return nil
		})
	}
	_ = group.Wait()
}

// composer answers with the given choice and judgement.
func (s *sheet) composer(choose, judge *forest.Model) *answer.Composer {
	m := answer.Models{Choose: choose, Judge: judge, Threshold: 1e-9}
	return answer.With(m, m)
}

// read reads every example; choose picks the model that reads it.
func (s *sheet) read(choose func(e *example) *forest.Model) {
	s.readings = make([]answer.Reading, len(s.examples))
	blank := &forest.Model{}
	each(len(s.examples), func(i int) {
		e := &s.examples[i]
		s.readings[i] = s.composer(choose(e), blank).Read(e.question.Text, e.terms, e.passages, answer.Options{})
	})
}

// label marks the statements that answer.
func (s *sheet) label() {
	s.labels = make([][]float64, len(s.examples))
	each(len(s.examples), func(i int) {
		e := &s.examples[i]
		s.labels[i] = make([]float64, len(s.readings[i].Texts))
		for n, text := range s.readings[i].Texts {
			s.labels[i][n] = label(e.question, text, e.hit[s.readings[i].Passages[n]])
		}
	})
}

// choice learns to choose from the examples that learn lets pass.
func (s *sheet) choice(learn func(e *example) bool) *forest.Model {
	var rows [][]float64
	var labels []float64
	var groups []int
	for i := range s.examples {
		e := &s.examples[i]
		if e.kind != own || !learn(e) || slices.Max(append(s.labels[i], 0)) == 0 || slices.Min(append(s.labels[i], 1)) == 1 {
			continue
		}
		for n := range s.labels[i] {
			rows, labels, groups = append(rows, s.readings[i].Features[n]), append(labels, s.labels[i][n]), append(groups, i)
		}
	}
	return fit.Weights(s.names(), rows, fit.First(labels, groups), 1, 300)
}

// judgement learns to judge from the examples that learn lets pass.
func (s *sheet) judgement(learn func(e *example) bool) *forest.Model {
	return s.judge(learn, func(rows [][]float64, loss fit.Loss) *forest.Model {
		return fit.Trees(answer.Signs(), rows, loss, Judging)
	})
}

func (s *sheet) judge(learn func(e *example) bool, how func(rows [][]float64, loss fit.Loss) *forest.Model) *forest.Model {
	type bin struct {
		set  string
		kind kind
	}
	count := map[bin]float64{}
	for i := range s.examples {
		if e := &s.examples[i]; learn(e) {
			count[bin{e.set, e.kind}]++
		}
	}
	var rows [][]float64
	var labels, weights []float64
	all := 0.0
	for i := range s.examples {
		e := &s.examples[i]
		if !learn(e) {
			continue
		}
		weight := importance(count[bin{e.set, e.kind}])
		if e.kind == own {
			labels = append(labels, 1)
		} else {
			labels = append(labels, 0)
		}
		rows, weights = append(rows, s.readings[i].Signs), append(weights, weight)
		all += weight
	}
	for i := range weights {
		weights[i] *= float64(len(weights)) / all
	}
	return how(rows, fit.Yes(labels, weights))
}

// importance keeps a large set from drowning the others: it counts as much as a set of
// 400 does.
func importance(n float64) float64 {
	if n > 400 {
		return 400 / n
	}
	return 1
}

var Choosing = fit.Options{Trees: 120, Depth: 4, Rate: 0.15, Ridge: 5}
var Judging = fit.Options{Trees: 150, Depth: 3, Rate: 0.08, Ridge: 10}
