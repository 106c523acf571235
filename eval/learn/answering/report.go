package answering

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"docqa/eval/score"
	"docqa/internal/engine/answer"
)

// outcome is what a composer made of an example that it had not learned from.
type outcome struct {
	*example

	confidence       float64
	words            int
	inWords, inThree bool
}

func (s *sheet) outcomes(by func(e *example) models) []outcome {
	out := make([]outcome, len(s.examples))
	each(len(out), func(i int) {
		e := &s.examples[i]
		a := by(e).composer().Compose(e.question.Text, e.terms, e.passages, answer.Options{})
		text := score.Plain(a.Text)
		out[i] = outcome{
			example: e, confidence: a.Confidence, words: len(strings.Fields(text)),
			inWords: score.HoldsAnswer(e.question, score.FirstWords(text, 45)), inThree: score.HoldsAnswer(e.question, score.FirstSentences(text, 3)),
		}
	})
	return out
}

// of are the outcomes of one kind.
func of(list []outcome, k kind) []outcome {
	return slices.DeleteFunc(slices.Clone(list), func(o outcome) bool { return o.kind != k })
}

// alone are the questions outside of a conversation, which other sets' questions are
// where the service is measured.
func alone(list []outcome) []outcome {
	return slices.DeleteFunc(list, func(o outcome) bool { return len(o.question.History) > 0 })
}

func confidences(list []outcome) []float64 {
	out := make([]float64, len(list))
	for i := range list {
		out[i] = list[i].confidence
	}
	return out
}

func share(list []outcome, is func(o *outcome) bool) string {
	values := make([]bool, len(list))
	for i := range list {
		values[i] = is(&list[i])
	}
	return estimate(score.Share(values))
}

func estimate(e score.Estimate) string {
	if e.N == 0 {
		return "              –"
	}
	return fmt.Sprintf("%.3f %.2f–%.2f", e.Value, e.Low, e.High)
}

// report prints a row a set: how often the first 45 words and the three sentences hold
// an answer; what is refused of foreign questions while 95 of 100 own ones are answered;
// the AUC against questions that the documents do not answer; and what is answered at
// the threshold.
func report(w io.Writer, title string, names []string, list []outcome, threshold float64) {
	_, _ = fmt.Fprintf(w, "%s, threshold %.3f\n%-12s %5s  %-15s %-15s %5s  %-15s %-15s | answered: own, lacking, foreign\n",
		title, threshold, "set", "own", "in 45 words", "in 3 sentences", "words", "foreign @.95", "AUC lacking")
	for _, name := range names {
		part := slices.DeleteFunc(slices.Clone(list), func(o outcome) bool { return o.set != name })
		mine, others, strange := of(part, own), of(part, lacking), alone(of(part, foreign))
		words := 0
		for i := range mine {
			words += mine[i].words
		}
		answered := func(o *outcome) bool { return o.confidence >= threshold }
		_, _ = fmt.Fprintf(w, "%-12s %5d  %s %s %5.1f  %s %s | %s  %s  %s\n", name, len(mine),
			share(mine, func(o *outcome) bool { return o.inWords }), share(mine, func(o *outcome) bool { return o.inThree }),
			float64(words)/float64(max(len(mine), 1)), estimate(score.RefusedAt(.95, confidences(mine), confidences(strange))),
			estimate(score.AUC(confidences(mine), confidences(others))), share(mine, answered), share(others, answered), share(strange, answered))
	}
	reliability(w, list)
}

// reliability prints, for each tenth of confidence, what was said, what held and how
// often.
func reliability(w io.Writer, list []outcome) {
	var n, held, said [10]float64
	for i := range list {
		d := min(9, int(list[i].confidence*10))
		n[d]++
		said[d] += list[i].confidence
		if list[i].kind == own {
			held[d]++
		}
	}
	_, _ = fmt.Fprint(w, "said:held ")
	for d := range n {
		if n[d] > 0 {
			_, _ = fmt.Fprintf(w, " %.2f:%.2f(%.0f)", said[d]/n[d], held[d]/n[d], n[d])
		}
	}
	_, _ = fmt.Fprintln(w)
}
