package answering

import (
	"hash/fnv"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"docqa/eval/learn/fit"
	"docqa/internal/engine/answer"
	"docqa/internal/engine/forest"
)

const (
	folds = 5   // into how many parts the documents are dealt
	steps = 200 // of a fit
	ridge = 10  // of the judgement's weights
)

// fold is the part that an example's document belongs to.
func (e *example) fold() int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(e.group))
	return int(h.Sum32()>>4) % folds
}

// sheet are the examples with what was read in them.
type sheet struct {
	words    bool
	examples []example
	readings []answer.Reading
	labels   [][]float64 // of each statement
}

// models are those that read an example.
type models struct{ choose, judge *forest.Model }

// composer answers every question for which it finds a statement.
func (m models) composer() *answer.Composer {
	one := &answer.Models{Choose: m.choose, Judge: m.judge, Threshold: 1e-9}
	if one.Judge == nil {
		one.Judge = &forest.Model{}
	}
	return answer.With(one)
}

// each calls do for 0 to n-1, on all processors.
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

// read reads the examples; by picks the models that do.
func (s *sheet) read(by func(e *example) models) {
	s.readings = make([]answer.Reading, len(s.examples))
	each(len(s.examples), func(i int) {
		e := &s.examples[i]
		s.readings[i] = by(e).composer().Read(e.question.Text, e.terms, e.passages, answer.Options{})
	})
}

// label marks the statements that answer.
func (s *sheet) label() {
	s.labels = make([][]float64, len(s.examples))
	each(len(s.examples), func(i int) {
		e := &s.examples[i]
		s.labels[i] = make([]float64, len(s.readings[i].Texts))
		for n, text := range s.readings[i].Texts {
			if e.hit[s.readings[i].Passages[n]] {
				s.labels[i][n] = label(e.question, text)
			}
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
		if e.kind != own || !learn(e) || !slices.Contains(s.labels[i], 1) || !slices.Contains(s.labels[i], 0) {
			continue
		}
		for n, is := range s.labels[i] {
			rows, labels, groups = append(rows, s.readings[i].Features[n]), append(labels, is), append(groups, i)
		}
	}
	names := answer.StatementFeatures()
	if s.words {
		names = answer.WordStatementFeatures()
		for i := range rows {
			rows[i] = rows[i][:len(names)]
		}
	}
	return fit.Directed(names, rows, fit.First(labels, groups), 1, steps, directions())
}

// judgement learns to judge from the examples that learn lets pass.
func (s *sheet) judgement(learn func(e *example) bool) *forest.Model {
	type share struct {
		set  string
		kind kind
	}
	count := map[share]float64{}
	for i := range s.examples {
		if e := &s.examples[i]; learn(e) {
			count[share{e.set, e.kind}]++
		}
	}
	names := answer.Signs()
	if s.words {
		names = answer.WordSigns()
	}
	var rows [][]float64
	var labels, weights []float64
	for i := range s.examples {
		e := &s.examples[i]
		if !learn(e) {
			continue
		}
		is := 0.0
		if e.kind == own {
			is = 1
		}
		rows, labels = append(rows, s.readings[i].Signs[:len(names)]), append(labels, is)
		weights = append(weights, min(1, enough/count[share{e.set, e.kind}]))
	}
	return fit.Directed(names, rows, fit.Yes(labels, weights), ridge, 2*steps, directions())
}

// enough is how many questions of one kind a set may put in: more weigh no more.
const enough = 400

// directions are those in which a feature or sign can only point: more of the question in
// a statement never makes it a worse answer. What the examples say against it is about
// their sets, or about another feature that goes with it.
func directions() map[string]float64 {
	known := map[string]float64{"missing": -1, "lost": -1, "kinLost": -1, "elsewhere": -1, "unheard": -1, "qualified": -1, "brief": -1, "caption": -1}
	for _, name := range []string{
		"own", "context", "lead", "asked", "pairs", "names", "namesAll", "rarest", "window", "offer", "negation", "cell", "rank", "lexical", "first", "kin",
		"count", "head", "tail", "within", "cosine", "behind", "top", "around", "far", "inside",
		"passage", "union", "sentence", "most", "rarestIn", "namesIn", "offerAny", "mass", "meeting", "chance", "full", "kinShare", "best", "topPassage", "topThree", "same",
	} {
		known[name] = 1
	}
	return known
}
