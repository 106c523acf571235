package answering

import (
	"docqa/eval/dataset"
	"docqa/eval/manuals"
	"docqa/eval/score"
)

const (
	longAnswer = 12 // words; a statement need not hold an answer of so many verbatim
	minShare   = .6 // of the words of a statement that must then be in the answer
	quoteShare = .5 // of the words of a statement about a manual that must be in the quote, or the other way round
)

// label returns 1 for a statement that holds an answer or, if the answer is long, whose words are mostly in it. Else it returns 0.
func label(q *dataset.Question, text string) float64 {
	if q.Manual != nil {
		return labelManual(q.Manual, text)
	}
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

// labelManual returns 1 for a statement that says a fact and is the quoted place or a part of it: a fact such as "true" is said in many
// other places, too.
func labelManual(q *manuals.Question, text string) float64 {
	if manuals.ScoreOf(q, &manuals.Reply{Text: text, Answered: true}).Wrong {
		return 0
	}
	if score.Coverage(q.Quote, text) >= quoteShare || score.Coverage(text, q.Quote) >= quoteShare {
		return 1
	}
	return 0
}
