package textbook

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"docqa/eval/dataset"
	"docqa/eval/score"
)

const (
	k1 = 1.2
	b  = .75
)

type posting struct{ window, count int }

// Index finds and ranks units.
type Index struct {
	language string
	units    []Unit
	unitOf   []int     // by window
	lengths  []float64 // by window, in terms
	mean     float64   // length
	postings map[string][]posting
}

// OfSet indexes the paragraphs of a set. If it has none, it indexes the pages of its documents, which pages returns by the document's
// name.
func OfSet(set *dataset.Set, pages func(name string) []Unit) *Index {
	var units []Unit
	for _, p := range set.Passages {
		units = append(units, Unit{File: p.File, Text: p.Text})
	}
	if len(units) == 0 {
		for i := range set.Documents {
			units = append(units, pages(set.Documents[i].Name)...)
		}
	}
	return New(units, set.Language)
}

// New indexes units in a language (BCP 47). Each window of a unit has the title of the document in front.
func New(units []Unit, language string) *Index {
	x := &Index{language: language, units: units, postings: map[string][]posting{}}
	for i, u := range units {
		for _, text := range windows(u.Text) {
			x.add(i, Title(u.File)+"\n"+text)
		}
	}
	for _, n := range x.lengths {
		x.mean += n / float64(len(x.lengths))
	}
	return x
}

func (x *Index) add(unit int, text string) {
	list := terms(text, x.language)
	counts := map[string]int{}
	for _, t := range list {
		counts[t]++
	}
	for t, n := range counts {
		x.postings[t] = append(x.postings[t], posting{len(x.lengths), n})
	}
	x.unitOf, x.lengths = append(x.unitOf, unit), append(x.lengths, float64(len(list)))
}

// Search returns the best k units, best first. Units of the same score keep the order of the index.
func (x *Index) Search(query string, k int) []score.Passage {
	scores := map[int]float64{} // by window
	for _, t := range terms(query, x.language) {
		list := x.postings[t]
		n := float64(len(x.lengths))
		idf := math.Log(1 + (n-float64(len(list))+.5)/(float64(len(list))+.5))
		for _, p := range list {
			tf := float64(p.count)
			scores[p.window] += idf * tf * (k1 + 1) / (tf + k1*(1-b+b*x.lengths[p.window]/x.mean))
		}
	}
	best := map[int]float64{} // by unit
	for w, s := range scores {
		best[x.unitOf[w]] = max(best[x.unitOf[w]], s)
	}
	order := slices.SortedFunc(maps.Keys(best), func(i, j int) int { return cmp.Or(cmp.Compare(best[j], best[i]), cmp.Compare(i, j)) })
	found := make([]score.Passage, min(k, len(order)))
	for i := range found {
		u := x.units[order[i]]
		found[i] = score.Passage{File: u.File, Page: u.Page, Text: u.Text, Score: best[order[i]]}
	}
	return found
}
