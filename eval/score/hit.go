package score

import (
	"slices"

	"docqa/eval/dataset"
)

// covered is the share of a gold paragraph that a passage has to hold.
const covered = .6

// Passage is one result of a search.
type Passage struct {
	File  string
	Page  int // 0 = no page
	Text  string
	Score float64 // as the ranking gives it; only comparable within that ranking
}

// Rank is the place, from 1, of the first passage that answers q; 0 = none does.
func Rank(q *dataset.Question, slack int, passages []Passage) int {
	return slices.IndexFunc(passages, func(p Passage) bool {
		return slices.ContainsFunc(q.Gold, func(g dataset.Gold) bool { return Hit(q, &g, slack, &p) })
	}) + 1
}

// Hit tells whether p answers q at the place g: it is of the gold file, and lies on the gold page or
// up to slack pages behind it, or holds an answer or enough of the gold paragraph.
func Hit(q *dataset.Question, g *dataset.Gold, slack int, p *Passage) bool {
	switch {
	case g.File != p.File:
		return false
	case g.Page > 0:
		return p.Page >= g.Page && p.Page <= g.Page+slack
	case g.Text == "":
		return true
	default:
		return Coverage(p.Text, g.Text) >= covered || HoldsAnswer(q, p.Text)
	}
}

// BestCoverage is the largest share of a gold paragraph of q that a passage of its file holds, 0 to 1.
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

// HoldsAnswer tells whether text holds one of the answers of q, or all of them where all are needed.
func HoldsAnswer(q *dataset.Question, text string) bool {
	for _, a := range q.Answers {
		if held := Holds(text, a); held != q.AllAnswers {
			return held
		}
	}
	return q.AllAnswers && len(q.Answers) > 0
}
