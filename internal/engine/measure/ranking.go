package measure

import (
	"math"
	"slices"
)

// Ranking holds the figures of one ranking, or the means of several.
type Ranking struct {
	Precision float64 // share of what was found that was wanted
	Recall    float64 // share of what was wanted that was found
	MRR       float64 // 1 divided by the place of the first wanted one; 0 if none was found
	NDCG      float64 // discounted gain divided by that of the best ranking; a wanted one gains 1
}

// Rank compares found, the best first, with wanted. A name that occurs twice counts once, at
// its first place. If nothing is wanted, all figures are 0.
func Rank(found, wanted []string) Ranking {
	found, wanted = distinct(found), distinct(wanted)
	if len(found) == 0 || len(wanted) == 0 {
		return Ranking{}
	}
	var r Ranking
	hits, gain, best := 0, 0.0, 0.0
	for i, name := range found {
		if !slices.Contains(wanted, name) {
			continue
		}
		if hits++; hits == 1 {
			r.MRR = 1 / float64(i+1)
		}
		gain += discount(i)
	}
	for i := range wanted {
		best += discount(i)
	}
	r.Precision = float64(hits) / float64(len(found))
	r.Recall = float64(hits) / float64(len(wanted))
	r.NDCG = gain / best
	return r
}

// Mean returns the mean of each figure; the zero Ranking for none.
func Mean(list []Ranking) Ranking {
	var m Ranking
	for _, r := range list {
		m.Precision += r.Precision
		m.Recall += r.Recall
		m.MRR += r.MRR
		m.NDCG += r.NDCG
	}
	n := float64(max(len(list), 1))
	return Ranking{Precision: m.Precision / n, Recall: m.Recall / n, MRR: m.MRR / n, NDCG: m.NDCG / n}
}

// discount returns the weight of a gain at a place, counted from 0.
func discount(place int) float64 { return 1 / math.Log2(float64(place)+2) }

func distinct(names []string) []string {
	var out []string
	for _, name := range names {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
