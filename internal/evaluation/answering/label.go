package answering

import (
	"docqa/internal/evaluation/dataset"
	"docqa/internal/evaluation/score"
)

// longAnswer is from how many words an answer is no longer expected verbatim.
const longAnswer = 12

// label tells how well a statement answers: 1 for one that holds an answer or, where
// answers are long, repeats most of one.
func label(q *dataset.Question, text string, hit bool) float64 {
	if !hit {
		return 0
	}
	if score.HoldsAnswer(q, text) {
		return 1
	}
	best := 0.0
	for _, a := range q.Answers {
		if q.AllAnswers {
			if score.Holds(text, a) {
				best += 1 / float64(len(q.Answers))
			}
			continue
		}
		if n := len(score.Words(a)); n >= longAnswer && len(score.Words(text)) >= 5 {
			best = max(best, score.Coverage(a, text))
		}
	}
	if best >= 0.6 {
		return 1
	}
	return 0
}
