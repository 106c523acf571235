package score

import (
	"slices"

	"docqa/eval/dataset"
)

// minCoverage is the share of a gold paragraph that a passage must hold.
const minCoverage = .6

// Passage is one result of a search.
type Passage struct {
	File  string
	Page  int // 0 = no page
	Text  string
	Score float64 // comparable only within the same ranking
}

// Rank returns the place, from 1, of the first passage that answers q, or 0 if none does.
func Rank(q *dataset.Question, slack int, passages []Passage) int {
	return slices.IndexFunc(passages, func(p Passage) bool {
		return slices.ContainsFunc(q.Gold, func(g dataset.Gold) bool { return Hit(q, &g, slack, &p) })
	}) + 1
}

// Hit reports whether p answers q at the place g. It must be of the same file. If g names a page, p must be on that page or on one of
// the slack pages after it; if g is a paragraph, p must hold an answer or enough of the paragraph. Of a manual, p must hold enough of the
// quote: an answer such as "true" is in many places.
func Hit(q *dataset.Question, g *dataset.Gold, slack int, p *Passage) bool {
	switch {
	case g.File != p.File:
		return false
	case g.Page > 0:
		return p.Page >= g.Page && p.Page <= g.Page+slack
	case g.Text == "":
		return true
	default:
		return Coverage(p.Text, g.Text) >= minCoverage || q.Manual == nil && HoldsAnswer(q, p.Text)
	}
}

// BestCoverage returns the largest share of a gold paragraph of q that a passage of the same file holds, from 0 to 1.
func BestCoverage(q *dataset.Question, passages []Passage) float64 {
	best := 0.
	for i := range passages {
		for g := range q.Gold {
			if q.Gold[g].File == passages[i].File {
				best = max(best, Coverage(passages[i].Text, q.Gold[g].Text))
			}
		}
	}
	return best
}

// HoldsAnswer reports whether text holds one of the answers of q, or all of them if all are needed.
func HoldsAnswer(q *dataset.Question, text string) bool {
	for _, a := range q.Answers {
		if held := Holds(text, a); held != q.AllAnswers {
			return held
		}
	}
	return q.AllAnswers && len(q.Answers) > 0
}
