package answering

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"docqa/eval/manuals"
	"docqa/eval/provenance"
	"docqa/eval/score"
	"docqa/internal/engine/answer"
	"docqa/internal/engine/forest"
)

// outcome is the answer to an example that the models were not trained on.
type outcome struct {
	*example

	confidence       float64
	words            int
	inWords, inThree bool
	right            bool          // the answer holds what was asked for
	first            float64       // the label of the statement with the highest score; -1 if no statement has one
	manual           manuals.Score // of a question about manuals
}

// results are what is printed about outcomes.
type results struct {
	sets      []string
	threshold float64
}

// outcomes composes the answers. by returns the models to use for an example.
func (s *training) outcomes(by func(e *example) models) []outcome {
	out := make([]outcome, len(s.examples))
	inParallel(len(out), func(i int) {
		e := &s.examples[i]
		a := by(e).composer().Compose(e.found.Found.Text, e.terms, e.passages, answer.Options{})
		text := score.Plain(a.Text)
		out[i] = outcome{
			example: e, confidence: a.Confidence, words: len(strings.Fields(text)),
			inWords: score.HoldsAnswer(e.question, score.FirstWords(text, 45)), inThree: score.HoldsAnswer(e.question, score.FirstSentences(text, 3)),
		}
		if m := e.question.Manual; m != nil {
			out[i].manual = manuals.ScoreOf(m, &manuals.Reply{Text: a.Text, Answered: a.Answered})
		}
		out[i].right = e.isRight(&a)
		out[i].first = s.firstLabel(i, by(e).choose)
	})
	return out
}

// isRight reports whether an answer holds what was asked for. Of an answer that the data gives in many words, its first source must be a
// passage that answers.
func (e *example) isRight(a *answer.Answer) bool {
	q := e.question
	switch {
	case e.kind != answerable && !e.withheld || a.Text == "":
		return false
	case q.Manual != nil:
		return manuals.ScoreOf(q.Manual, &manuals.Reply{Text: a.Text, Answered: true}).Contains
	case slices.ContainsFunc(q.Answers, func(s string) bool { return len(score.Words(s)) < longAnswer }):
		return score.HoldsAnswer(q, score.Plain(a.Text))
	}
	return len(a.Citations) > 0 && e.hit[a.Citations[0].Passage]
}

// firstLabel returns the label of the statement of example i that choose scores highest, -1 if none of them answers.
func (s *training) firstLabel(i int, choose *forest.Model) float64 {
	label, highest := -1.0, math.Inf(-1)
	for n, features := range s.readings[i].Features {
		if likely := choose.Score(features[:len(choose.Features)]); likely > highest && slices.Contains(s.labels[i], 1) {
			label, highest = s.labels[i][n], likely
		}
	}
	return label
}

// ofKind returns the outcomes of one kind.
func ofKind(list []outcome, k kind) []outcome {
	return slices.DeleteFunc(slices.Clone(list), func(o outcome) bool { return o.kind != k })
}

// withoutHistory leaves out the questions in a conversation: the evaluation asks the questions of other sets without one.
func withoutHistory(list []outcome) []outcome {
	return slices.DeleteFunc(list, func(o outcome) bool { return len(o.question.History) > 0 })
}

func confidences(list []outcome) []float64 {
	out := make([]float64, len(list))
	for i := range list {
		out[i] = list[i].confidence
	}
	return out
}

func values(list []outcome, is func(o *outcome) bool) []bool {
	out := make([]bool, len(list))
	for i := range list {
		out[i] = is(&list[i])
	}
	return out
}

func share(list []outcome, is func(o *outcome) bool) string {
	return estimate(score.Share(values(list, is)))
}

func estimate(e score.Estimate) string {
	if e.N == 0 {
		return "              –"
	}
	return fmt.Sprintf("%.3f %.2f–%.2f", e.Value, e.Low, e.High)
}

// print writes a row for each set: how often the first 45 words and the first three sentences hold an answer; the share of off-topic questions
// that is refused while 95 % of the set's own are answered; the AUC of answerable against unanswerable questions; and the shares that are
// answered at the threshold.
func (r *results) print(w io.Writer, title string, list []outcome) {
	_, _ = fmt.Fprintf(w, "%s, threshold %.3f\n%-12s %5s  %-15s %-15s %-15s %5s  %-15s %-15s | answered: own, unanswerable, off topic\n",
		title, r.threshold, "set", "own", "best statement", "in 45 words", "in 3 sentences", "words", "off topic @.95", "AUC unanswerable")
	for _, name := range r.sets {
		part := slices.DeleteFunc(slices.Clone(list), func(o outcome) bool { return o.set != name || o.withheld })
		own, others, foreign := ofKind(part, answerable), ofKind(part, unanswerable), withoutHistory(ofKind(part, offTopic))
		words := 0
		found := slices.DeleteFunc(slices.Clone(own), func(o outcome) bool { return o.first < 0 })
		for i := range own {
			words += own[i].words
		}
		answered := func(o *outcome) bool { return o.confidence >= r.threshold }
		_, _ = fmt.Fprintf(w, "%-12s %5d  %s %s %s %5.1f  %s %s | %s  %s  %s\n", name, len(own), share(found, func(o *outcome) bool { return o.first == 1 }),
			share(own, func(o *outcome) bool { return o.inWords }), share(own, func(o *outcome) bool { return o.inThree }),
			float64(words)/float64(max(len(own), 1)), estimate(score.RefusedAt(.95, confidences(own), confidences(foreign))),
			estimate(score.AUC(confidences(own), confidences(others))), share(own, answered), share(others, answered), share(foreign, answered))
	}
	printManuals(w, list, r.threshold)
	printCalibration(w, list)
}

// addFigures notes the figures that the evaluation compares with targets, under the names of its rows.
func (r *results) addFigures(p *provenance.Provenance, list []outcome) {
	for _, name := range r.sets {
		part := slices.DeleteFunc(slices.Clone(list), func(o outcome) bool { return o.set != name || o.withheld })
		own, others := ofKind(part, answerable), ofKind(part, unanswerable)
		if len(own) == 0 {
			continue
		}
		p.Add(name, "holds an answer within 45 words", score.Share(values(own, func(o *outcome) bool { return o.inWords })).Value)
		p.Add(name, "within three sentences", score.Share(values(own, func(o *outcome) bool { return o.inThree })).Value)
		if len(others) > 0 {
			p.Add(name, "AUC of the confidence", score.AUC(confidences(own), confidences(others)).Value)
		}
	}
}

// printManuals writes the shares of right answers to questions about manuals and of refused near-misses.
func printManuals(w io.Writer, list []outcome, threshold float64) {
	about := slices.DeleteFunc(slices.Clone(list), func(o outcome) bool { return o.question.Manual == nil || o.kind == offTopic || o.withheld })
	own := ofKind(about, answerable)
	near := slices.DeleteFunc(ofKind(about, unanswerable), func(o outcome) bool { return o.question.Manual.Kind != manuals.Near })
	if len(own) == 0 {
		return
	}
	answered := func(o *outcome) bool { return o.confidence >= threshold }
	_, _ = fmt.Fprintf(w, "manuals: complete %s, with the fact %s, first right %s, wrong %s, answered %s, near-misses answered %s\n",
		share(own, func(o *outcome) bool { return answered(o) && o.manual.Complete }), share(own, func(o *outcome) bool { return answered(o) && o.manual.Contains }),
		share(own, func(o *outcome) bool { return answered(o) && o.manual.FirstRight }), share(own, func(o *outcome) bool { return answered(o) && o.manual.Wrong }),
		share(own, answered), share(near, answered))
	kept := confidences(own)
	slices.Sort(kept)
	for _, lost := range []int{5, 10, 15, 20} {
		at := kept[lost*len(kept)/100]
		_, _ = fmt.Fprintf(w, "manuals: at %.2f, %d of 100 are refused; wrong %s, near-misses answered %s\n", at, lost,
			share(own, func(o *outcome) bool { return o.confidence >= at && o.manual.Wrong }), share(near, func(o *outcome) bool { return o.confidence >= at }))
	}
}

// printCalibration writes, for each tenth of confidence, its mean, the share of right answers and the number of questions.
func printCalibration(w io.Writer, list []outcome) {
	var n, right, sum [10]float64
	for i := range list {
		if list[i].withheld {
			continue
		}
		d := min(9, int(list[i].confidence*10))
		n[d]++
		sum[d] += list[i].confidence
		if list[i].right {
			right[d]++
		}
	}
	_, _ = fmt.Fprint(w, "confidence:right ")
	for d := range n {
		if n[d] > 0 {
			_, _ = fmt.Fprintf(w, " %.2f:%.2f(%.0f)", sum[d]/n[d], right[d]/n[d], n[d])
		}
	}
	_, _ = fmt.Fprintln(w)
}
