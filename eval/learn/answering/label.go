package answering

import (
	"docqa/eval/dataset"
	"docqa/eval/score"
)

const (
	longAnswer = 12 // words from which an answer is not expected verbatim
	repeated   = .6 // share of a statement's words that must then stand in the answer
)

// label is 1 for a statement that holds an answer or, where answers are long, of which
// most stands in one; else 0.
func label(q *dataset.Question, text string) float64 {
	if score.HoldsAnswer(q, text) {
		return 1
	}
	for _, a := range q.Answers {
		if q.AllAnswers && score.Holds(text, a) {
			return 1
		}
		if len(score.Words(a)) >= longAnswer && len(score.Words(text)) >= 5 && score.Coverage(a, text) >= repeated {
			return 1
		}
	}
	return 0
}
