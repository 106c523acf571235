package answering

import (
	"hash/fnv"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"docqa/eval/learn/fit"
	"docqa/eval/manuals"
	"docqa/internal/engine/answer"
	"docqa/internal/engine/forest"
)

const (
	folds = 5   // parts into which the documents are divided
	steps = 200 // of training the choice; the confidence takes twice as many
	ridge = 10  // of the weights of the confidence
)

// fold returns the part that the document of an example belongs to.
func (e *example) fold() int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(e.group))
	return int(h.Sum32()>>4) % folds
}

// training holds the examples with their features and labels.
type training struct {
	keywords bool // leave out the features that need vectors
	examples []example
	readings []answer.Reading
	labels   [][]float64 // by example and statement
	right    []bool      // by example: whether the answer holds what was asked for
	scale    float64     // of the scores of the choice, see temper
	slope    float64     // of the scores of the confidence, see calibrate
	shift    float64     // of the same
}

// models choose the statements of an answer, and compute its confidence. confidence may be nil.
type models struct{ choose, confidence *forest.Model }

// composer returns a composer that answers each question for which it finds a statement.
func (m models) composer() *answer.Composer {
	all := &answer.Models{Choice: m.choose, Confidence: m.confidence, Threshold: 1e-9}
	if all.Confidence == nil {
		all.Confidence = &forest.Model{}
	}
	return answer.With(all)
}

// inParallel calls do for 0 to n-1, on all processors.
func inParallel(n int, do func(i int)) {
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

// computeFeatures computes the features of the examples. by returns the models to use for an example.
func (s *training) computeFeatures(by func(e *example) models) {
	s.readings = make([]answer.Reading, len(s.examples))
	inParallel(len(s.examples), func(i int) {
		e := &s.examples[i]
		s.readings[i] = by(e).composer().Read(e.found.Found.Text, e.terms, e.passages, answer.Options{})
	})
}

// answerAll sets whether the answers are right. by returns the models to use for an example.
func (s *training) answerAll(by func(e *example) models) {
	s.right = make([]bool, len(s.examples))
	inParallel(len(s.examples), func(i int) {
		e := &s.examples[i]
		a := by(e).composer().Compose(e.found.Found.Text, e.terms, e.passages, answer.Options{})
		s.right[i] = e.isRight(&a)
	})
}

// label sets the labels of all statements.
func (s *training) label() {
	s.labels = make([][]float64, len(s.examples))
	inParallel(len(s.examples), func(i int) {
		e := &s.examples[i]
		s.labels[i] = make([]float64, len(s.readings[i].Texts))
		for n, text := range s.readings[i].Texts {
			if e.hit[s.readings[i].Passages[n]] {
				s.labels[i][n] = label(e.question, text)
			}
		}
	})
}

// trainChoice trains the choice of statements on the examples that use returns true for.
func (s *training) trainChoice(use func(e *example) bool) *forest.Model {
	var rows [][]float64
	var labels []float64
	var groups []int
	for i := range s.examples {
		e := &s.examples[i]
		if e.kind != answerable || !use(e) || !slices.Contains(s.labels[i], 1) || !slices.Contains(s.labels[i], 0) {
			continue
		}
		for n, is := range s.labels[i] {
			rows, labels, groups = append(rows, s.readings[i].Features[n]), append(labels, is), append(groups, i)
		}
	}
	names := answer.StatementFeatures()
	if s.keywords {
		names = answer.WordStatementFeatures()
		for i := range rows {
			rows[i] = rows[i][:len(names)]
		}
	}
	loss, o := fit.Listwise(labels, groups), choiceOptions()
	o.Base = fit.Linear(names, rows, loss, fit.LinearOptions{Ridge: 1, Steps: steps, Directions: directions()})
	return fit.Trees(names, rows, loss, o)
}

// temper scales the models of the parts so that the chances of statements hold on the documents of the other parts, and returns the scale.
// Models that were fitted closely to their examples are too sure of themselves.
func (s *training) temper(by []models) float64 {
	best, lowest := 1.0, math.Inf(1)
	for scale := 0.3; scale < 2; scale += 0.05 {
		if loss := s.heldOutLoss(by, scale); loss < lowest {
			best, lowest = scale, loss
		}
	}
	for k := range by {
		fit.Scale(by[k].choose, best)
	}
	return best
}

// heldOutLoss returns the loss of the scaled choice on the examples that each model was not trained on.
func (s *training) heldOutLoss(by []models, scale float64) float64 {
	sum := 0.0
	for i := range s.examples {
		if !slices.Contains(s.labels[i], 1) || s.examples[i].kind != answerable {
			continue
		}
		choose := by[s.examples[i].fold()].choose
		all, right := 0.0, 0.0
		for n, features := range s.readings[i].Features {
			e := math.Exp(scale * choose.Score(features[:len(choose.Features)]))
			all += e
			right += e * s.labels[i][n]
		}
		sum -= math.Log(right / all)
	}
	return sum
}

// trainConfidence trains the confidence on the examples that use returns true for.
func (s *training) trainConfidence(use func(e *example) bool) *forest.Model {
	type share struct {
		set  string
		kind kind
	}
	count := map[share]float64{}
	for i := range s.examples {
		if e := &s.examples[i]; use(e) {
			count[share{e.set, e.kind}]++
		}
	}
	names := answer.ConfidenceFeatures()
	if s.keywords {
		names = answer.WordConfidenceFeatures()
	}
	var rows [][]float64
	var labels, weights []float64
	for i := range s.examples {
		e := &s.examples[i]
		if !use(e) || e.withheld && s.right[i] { // another passage answers, too
			continue
		}
		label := 0.0
		if s.right[i] {
			label = 1
		}
		weight := min(1, fullWeight/count[share{e.set, e.kind}])
		if m := e.question.Manual; m != nil && m.Kind == manuals.Near && e.kind == unanswerable {
			weight = nearWeight
		}
		rows, labels, weights = append(rows, s.readings[i].ConfidenceFeatures[:len(names)]), append(labels, label), append(weights, weight)
	}
	loss := fit.Logistic(labels, weights)
	o := fit.Options{Trees: 150, Depth: 3, Rate: 0.07, Ridge: 15, Columns: 0.5, Bins: 32}
	o.Base = fit.Linear(names, rows, loss, fit.LinearOptions{Ridge: ridge, Steps: 2 * steps, Directions: directions()})
	return fit.Trees(names, rows, loss, o)
}

// nearWeight is how often a near-miss counts: there are few, and they are what a confidence is for.
const nearWeight = 6

// calibrate returns the line that makes a confidence hold: among the answers of other documents with a confidence of 0.7, seven of ten are
// right. The weights of the examples have moved it.
func (s *training) calibrate(by []models) (slope, shift float64) {
	var rows [][]float64
	var labels, weights []float64
	for i := range s.examples {
		e := &s.examples[i]
		if e.withheld {
			continue
		}
		label := 0.0
		if s.right[i] {
			label = 1
		}
		m := by[e.fold()].confidence
		weight := 1.0
		if e.question.Manual == nil {
			weight = otherWeight
		}
		rows, labels, weights = append(rows, []float64{m.Score(s.readings[i].ConfidenceFeatures[:len(m.Features)])}), append(labels, label), append(weights, weight)
	}
	line := fit.Linear([]string{"score"}, rows, fit.Logistic(labels, weights), fit.LinearOptions{Steps: 1000})
	return line.Weights[0], line.Bias
}

// otherWeight is how much a question that is not about manuals counts in the calibration: there are five times as many.
const otherWeight = 0.3

// apply makes a line part of a model.
func apply(m *forest.Model, slope, shift float64) {
	fit.Scale(m, slope)
	m.Bias += shift
}

// choiceOptions bound the trees that correct the weights of the choice.
func choiceOptions() fit.Options {
	return fit.Options{Trees: 150, Depth: 4, Rate: 0.1, Ridge: 20, Columns: 0.4, Bins: 64}
}

// fullWeight is how many questions of one kind of a set count fully. More of them count as much as so many.
const fullWeight = 400

// directions returns the sign that the weight of a feature must have. For example, more words of the question in a statement never make it a
// worse answer. If the examples suggest the opposite, the cause is a property of their sets, or another feature that correlates.
func directions() map[string]float64 {
	known := map[string]float64{"otherEntry": -1, "noDefault": -1, "lacks": -1, "lacksAll": -1, "missing": -1, "lost": -1, "kinLost": -1, "elsewhere": -1, "unheard": -1, "qualified": -1, "brief": -1, "caption": -1}
	for _, name := range []string{
		"own", "context", "lead", "asked", "pairs", "names", "namesAll", "rarest", "window", "offer", "negation", "cell", "rank", "lexical", "first", "kin",
		"count", "head", "tail", "within", "cosine", "behind", "top", "around", "far", "inside",
		"passage", "union", "sentence", "most", "rarestIn", "namesIn", "offerAny", "mass", "meeting", "chance", "full", "kinShare", "best", "topPassage", "topThree", "same",
		"entry", "underHeading", "goesOn",
	} {
		known[name] = 1
	}
	return known
}
