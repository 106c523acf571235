package lexical

import (
	"math"
	"slices"
)

// Stats are the document frequencies of a project. The weights of a question depend on them.
type Stats struct {
	Passages  int             // the passages that were counted: all of the project or a sample
	Frequency map[int32]int32 // term index to the number of passages that hold it
}

// NewStats returns empty statistics.
func NewStats() *Stats { return &Stats{Frequency: map[int32]int32{}} }

// Add counts the terms of one passage.
func (s *Stats) Add(terms []Term) {
	s.Passages++
	for _, t := range terms {
		s.Frequency[t.Index]++
	}
}

// Pack returns the frequencies as two lists of equal length, ordered by index. Terms of a
// single passage are left out: Unpack's statistics count an unknown term as one of a single
// passage.
func (s *Stats) Pack() (terms, counts []int32) {
	terms = make([]int32, 0, len(s.Frequency)/2)
	for i, n := range s.Frequency {
		if n > 1 {
			terms = append(terms, i)
		}
	}
	slices.Sort(terms)
	counts = make([]int32, len(terms))
	for i, t := range terms {
		counts[i] = s.Frequency[t]
	}
	return terms, counts
}

// Unpack returns the statistics of passages from what Pack returned.
func Unpack(passages int, terms, counts []int32) *Stats {
	s := &Stats{Passages: passages, Frequency: make(map[int32]int32, len(terms))}
	for i := range min(len(terms), len(counts)) {
		s.Frequency[terms[i]] = counts[i]
	}
	return s
}

// idf returns the inverse document frequency of a term. It is above 0 and higher for rarer
// terms.
func (s *Stats) idf(i int32) float64 { return s.weight(max(s.Frequency[i], 1)) }

// rarest returns the idf of a term that occurs in one passage.
func (s *Stats) rarest() float64 { return s.weight(1) }

func (s *Stats) weight(count int32) float64 {
	n := float64(max(s.Passages, 1))
	df := min(float64(count), n)
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

// languages returns the languages of a considerable part of the passages, the most frequent
// first.
func (s *Stats) languages() []Lang {
	type share struct {
		lang  Lang
		count int32
	}
	var found []share
	for l := English; l < langs; l++ {
		if n := s.Frequency[languageIndex(l)]; n > 0 && int(n)*50 >= s.Passages {
			found = append(found, share{l, n})
		}
	}
	slices.SortStableFunc(found, func(a, b share) int { return int(b.count) - int(a.count) })
	out := make([]Lang, len(found))
	for i, f := range found {
		out[i] = f.lang
	}
	return out
}
