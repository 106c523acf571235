package answering

import (
	"docqa/eval/dataset"
	"docqa/eval/score"
)

const (
	longAnswer = 12 // words; a statement need not hold an answer of so many verbatim
	minShare   = .6 // of the words of a statement that must then be in the answer
)

// label returns 1 for a statement that holds an answer or, if the answer is long, whose words are mostly in it. Else it returns 0.
func label(q *dataset.Question, text string) float64 {
	if score.HoldsAnswer(q, text) {
		return 1
	}
	for _, a := range q.Answers {
		if q.AllAnswers && score.Holds(text, a) {
			return 1
		}
		if len(score.Words(a)) >= longAnswer && len(score.Words(text)) >= 5 && score.Coverage(a, text) >= minShare {
			return 1
		}
	}
	return 0
}
