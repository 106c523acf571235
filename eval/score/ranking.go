package score

import (
	"math"

	"docqa/eval/dataset"
)

// Ranking holds the figures of the first results of one search. All but First are from 0 to 1.
type Ranking struct {
	First     int     `json:"first"`     // place of the first result that answers, from 1; 0 = none does
	Precision float64 `json:"precision"` // share of the results that answer
	Recall    float64 `json:"recall"`    // share of the gold places that were found
	NDCG      float64 `json:"ndcg"`      // discounted gain divided by that of the best ranking; each gold place counts once
}

// Reciprocal returns 1 divided by the place of the first result that answers, or 0 if none does.
func (r Ranking) Reciprocal() float64 {
	if r.First == 0 {
		return 0
	}
	return 1 / float64(r.First)
}

// HitAt returns 1 if one of the first k results answers, else 0.
func (r Ranking) HitAt(k int) float64 {
	if r.First == 0 || r.First > k {
		return 0
	}
	return 1
}

// Evaluate computes the figures of the first k passages that were found for q.
//
// Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, 2002.
func Evaluate(q *dataset.Question, slack, k int, passages []Passage) Ranking {
	var r Ranking
	found := make([]bool, len(q.Gold))
	places, hits, gain, best := 0, 0, 0., 0.
	passages = passages[:min(k, len(passages))]
	for i := range passages {
		hit, first := false, false
		for g := range q.Gold {
			if !Hit(q, &q.Gold[g], slack, &passages[i]) {
				continue
			}
			hit = true
			if !found[g] {
				found[g], first = true, true
				places++
			}
		}
		if hit {
			hits++
		}
		if first {
			gain += discount(i)
		}
		if hit && r.First == 0 {
			r.First = i + 1
		}
	}
	for i := range min(k, len(q.Gold)) {
		best += discount(i)
	}
	if places > 0 {
		r.Precision = float64(hits) / float64(len(passages))
		r.Recall = float64(places) / float64(len(q.Gold))
		r.NDCG = gain / best
	}
	return r
}

// discount returns how much a gain counts at a place, from 0.
func discount(place int) float64 { return 1 / math.Log2(float64(place)+2) }
