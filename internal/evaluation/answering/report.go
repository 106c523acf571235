package answering

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"docqa/internal/engine/answer"
	"docqa/internal/engine/forest"
	"docqa/internal/evaluation/score"
)

// outcome is what a composer made of an example that it had not learned from.
type outcome struct {
	*example
	confidence           float64
	words                int
	inWords, inThree, in bool
}

func (s *sheet) outcomes(models func(e *example) (choose, judge *forest.Model)) []outcome {
	out := make([]outcome, len(s.examples))
	each(len(out), func(i int) {
		e := &s.examples[i]
		out[i].example = e
		choose, judge := models(e)
		if choose == nil {
			return
		}
		a := s.composer(choose, judge).Compose(e.question.Text, e.terms, e.passages, answer.Options{})
		text := score.Plain(a.Text)
		out[i].confidence, out[i].words = a.Confidence, len(strings.Fields(text))
		out[i].inWords = score.HoldsAnswer(e.question, score.FirstWords(text, 45))
		out[i].inThree = score.HoldsAnswer(e.question, score.FirstSentences(text, 3))
		out[i].in = score.HoldsAnswer(e.question, text)
	})
	return out
}

func sets(list []outcome) []string {
	var names []string
	for i := range list {
		if !slices.Contains(names, list[i].set) {
			names = append(names, list[i].set)
		}
	}
	return names
}

func confidences(list []outcome, set string, k kind) []float64 {
	var out []float64
	for i := range list {
		if list[i].set == set && list[i].kind == k {
			out = append(out, list[i].confidence)
		}
	}
	return out
}

func report(w io.Writer, title string, list []outcome) {
	fmt.Fprintf(w, "%s\n%-14s %5s  %5s %5s %5s %5s | %5s %5s %5s %5s %5s\n", title, "set", "n", "in45", "in3", "words", "", "off95", "AUCun", "un@90", "ans95", "thr95")
	for _, set := range sets(list) {
		n, inWords, inThree, words := 0.0, 0.0, 0.0, 0.0
		for i := range list {
			if o := &list[i]; o.set == set && o.kind == own {
				n++
				words += float64(o.words)
				if o.inWords {
					inWords++
				}
				if o.inThree {
					inThree++
				}
			}
		}
		mine, others, strange := confidences(list, set, own), confidences(list, set, lacking), confidences(list, set, foreign)
		fmt.Fprintf(w, "%-14s %5.0f  %.3f %.3f %5.1f       | %.3f %.3f %.3f       %.3f\n", set, n, inWords/n, inThree/n, words/n,
			score.RefusedAt(.95, mine, strange), score.AUC(mine, others), score.RefusedAt(.90, mine, others), score.Quantile(slices.Sorted(slices.Values(mine)), .05))
	}
	reliability(w, list)
}

func reliability(w io.Writer, list []outcome) {
	var n, right, said [10]float64
	for i := range list {
		d := min(9, int(list[i].confidence*10))
		weight := 1.0
		n[d] += weight
		said[d] += list[i].confidence
		if list[i].kind == own {
			right[d] += weight
		}
	}
	fmt.Fprint(w, "reliability ")
	for d := range n {
		if n[d] > 0 {
			fmt.Fprintf(w, " %.2f:%.2f(%.0f)", said[d]/n[d], right[d]/n[d], n[d])
		}
	}
	fmt.Fprintln(w)
}
