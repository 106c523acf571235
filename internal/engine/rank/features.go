package rank

import (
	"docqa/internal/engine/lexical"
)

// Candidate is a passage that the index found.
type Candidate struct {
	Title       string
	HeadingPath []string
	Body        string
	BM25        float64 // the inner product, above 0
}

// The features of a candidate, each about 0 to 1.
const (
	fBM25     = iota // share of the best candidate's score
	fCoverage        // of the question's words in title, headings and body, weighted by idf
	fPairs           // neighbouring words of the question that are neighbours in the body
	fNames           // of the question's names and numbers in title, headings and body
	fHeadings        // of the question's words in title and headings
	features         // how many there are
)

// Features are what the order is made of.
type Features [features]float64

// Of returns the features of the candidates.
func Of(q *lexical.Question, candidates []Candidate) []Features {
	best := 0.0
	for i := range candidates {
		best = max(best, candidates[i].BM25)
	}
	out := make([]Features, len(candidates))
	r := reader{q: q, find: q.Finder(), seen: make([]bool, len(q.Words)), total: total(q)}
	for i := range candidates {
		out[i] = r.read(&candidates[i])
		if best > 0 {
			out[i][fBM25] = candidates[i].BM25 / best
		}
	}
	return out
}

// total is the idf of the words of the last turn.
func total(q *lexical.Question) float64 {
	sum := 0.0
	for _, w := range q.Words {
		sum += w.Weight
	}
	return max(sum, 1e-9)
}

type reader struct {
	q     *lexical.Question
	find  *lexical.Finder
	seen  []bool
	total float64
}

func (r *reader) read(c *Candidate) Features {
	var f Features
	clear(r.seen)
	r.note(c.Title)
	for _, h := range c.HeadingPath {
		r.note(h)
	}
	f[fHeadings] = r.covered()
	m := r.find.Find(c.Body)
	for _, h := range m.Hits {
		r.seen[h.Word] = true
	}
	f[fCoverage] = r.covered()
	f[fNames] = r.names()
	f[fPairs] = r.pairs(m.Hits)
	return f
}

func (r *reader) note(text string) {
	for _, h := range r.find.Find(text).Hits {
		r.seen[h.Word] = true
	}
}

// covered is the weight of the words seen.
func (r *reader) covered() float64 {
	sum := 0.0
	for i, w := range r.q.Words {
		if r.seen[i] {
			sum += w.Weight
		}
	}
	return sum / r.total
}

// names is the share of names and numbers seen; 1 where the question has none.
func (r *reader) names() float64 {
	sum, seen := 0.0, 0.0
	for i, w := range r.q.Words {
		if !w.Name && !w.Number {
			continue
		}
		sum += w.Weight
		if r.seen[i] {
			seen += w.Weight
		}
	}
	if sum == 0 {
		return 1
	}
	return seen / sum
}

// pairs is the weight of the question's neighbours that stand at most three tokens
// apart in the body.
func (r *reader) pairs(hits []lexical.Hit) float64 {
	found := make([]bool, len(r.q.Words))
	for i, h := range hits {
		for _, next := range hits[i+1:] {
			if next.Position-h.Position > 3 {
				break
			}
			if a, b := min(h.Word, next.Word), max(h.Word, next.Word); b == a+1 {
				found[a] = true
			}
		}
	}
	sum := 0.0
	for i, ok := range found {
		if ok {
			sum += r.q.Words[i].Weight + r.q.Words[i+1].Weight
		}
	}
	return sum / (2 * r.total)
}
