package rank

import (
	"math"
	"strings"
	"unicode"

	"docqa/internal/engine/lexical"
)

// near is the number of tokens that counts as the length of a sentence.
const near = 25

// reader reads passages for one question.
type reader struct {
	q       *lexical.Question
	find    *lexical.Finder
	seen    []bool // the question's words that were found so far
	titled  []bool
	headed  []bool
	scratch []int
	noted   map[string][]int // the words of titles, headings and headers of tables, which many candidates share
	total   float64          // weight of all words
	names   float64          // of names
	numbers float64
	earlier float64
	rarest  int // index of the last turn's rarest word, -1 = none
}

func newReader(q *lexical.Question) *reader {
	n := len(q.Words)
	r := &reader{q: q, find: q.Finder(), seen: make([]bool, n), titled: make([]bool, n), headed: make([]bool, n), scratch: make([]int, n), noted: map[string][]int{}, rarest: -1}
	for i, w := range q.Words {
		r.total += w.Weight
		switch {
		case !w.Current:
			r.earlier += w.Weight
		case w.Number:
			r.numbers += w.Weight
		case w.Name:
			r.names += w.Weight
		}
		if w.Current && (r.rarest < 0 || w.IDF > q.Words[r.rarest].IDF) {
			r.rarest = i
		}
	}
	r.total = max(r.total, 1e-9)
	return r
}

// read sets the features that depend on the text of a candidate.
func (r *reader) read(c *Candidate, f *Features) {
	clear(r.titled)
	r.note(r.titled, c.Title)
	copy(r.headed, r.titled)
	for _, h := range c.HeadingPath {
		r.note(r.headed, h)
	}
	f[fTitle], f[fHeadings] = r.weight(r.titled), r.weight(r.headed)
	m := r.find.Read(c.Body, c.Places)
	clear(r.seen)
	for _, h := range m.Hits {
		r.seen[h.Word] = true
	}
	f[fBody] = r.weight(r.seen)
	for i := range r.seen {
		r.seen[i] = r.seen[i] || r.headed[i]
	}
	r.note(r.seen, c.Context)
	f[fCovered] = r.weight(r.seen)
	f[fNames] = r.share(r.names, func(w *lexical.Word) bool { return w.Current && w.Name && !w.Number })
	f[fNumbers] = r.share(r.numbers, func(w *lexical.Word) bool { return w.Current && w.Number })
	f[fEarlier] = r.share(r.earlier, func(w *lexical.Word) bool { return !w.Current })
	if r.rarest >= 0 && r.seen[r.rarest] {
		f[fRarest] = 1
	}
	f[fPairs], f[fRun], f[fNear] = r.pairs(m.Hits), r.run(m.Hits), r.near(m.Hits)
	f[fRow], f[fTable] = r.rows(c, m.Hits)
	f[fFigures] = float64(m.Figures) / float64(max(m.Words, 1)) // words that begin with a digit
	f[fLength] = math.Log1p(float64(m.Tokens))
	r.sentences(c, f)
}

func (r *reader) note(seen []bool, text string) {
	if text == "" {
		return
	}
	words, known := r.noted[text]
	if !known {
		for _, h := range r.find.Find(text).Hits {
			words = append(words, h.Word)
		}
		r.noted[text] = words
	}
	for _, word := range words {
		seen[word] = true
	}
}

// weight returns the weight of the words seen as a share of the question.
func (r *reader) weight(seen []bool) float64 {
	sum := 0.0
	for i, w := range r.q.Words {
		if seen[i] {
			sum += w.Weight
		}
	}
	return sum / r.total
}

// share returns the weight of the seen words of one kind as a share of all, the weight of all
// words of that kind; 1 if there are none.
func (r *reader) share(all float64, kind func(*lexical.Word) bool) float64 {
	if all == 0 {
		return 1
	}
	sum := 0.0
	for i := range r.q.Words {
		if w := &r.q.Words[i]; r.seen[i] && kind(w) {
			sum += w.Weight
		}
	}
	return sum / all
}

// pairs returns the weight of the neighbouring words of the question that stand at most three
// tokens apart in the body.
func (r *reader) pairs(hits []lexical.Hit) float64 {
	return r.q.Pairs(hits) / (2 * r.total)
}

// run returns the weight of the longest sequence of the question's words that stand in the
// body in the question's order, with at most one token between two of them.
func (r *reader) run(hits []lexical.Hit) float64 {
	best, sum := 0.0, 0.0
	for i, h := range hits {
		w := r.q.Words[h.Word].Weight
		if i > 0 && h.Word == hits[i-1].Word+1 && h.Position-hits[i-1].Position <= 2 {
			sum += w
		} else {
			sum = w
		}
		best = max(best, sum)
	}
	return best / r.total
}

// near returns the greatest weight of the words within the length of a sentence.
func (r *reader) near(hits []lexical.Hit) float64 {
	count := r.scratch
	clear(count)
	best, sum, from := 0.0, 0.0, 0
	for _, h := range hits {
		for ; h.Position-hits[from].Position > near; from++ {
			if count[hits[from].Word]--; count[hits[from].Word] == 0 {
				sum -= r.q.Words[hits[from].Word].Weight
			}
		}
		if count[h.Word]++; count[h.Word] == 1 {
			sum += r.q.Words[h.Word].Weight
		}
		best = max(best, sum)
	}
	return best / r.total
}

// rows returns the greatest share of the question that a table row and the header above it
// hold, and the share of lines that are rows.
func (r *reader) rows(c *Candidate, hits []lexical.Hit) (best, share float64) {
	if !strings.ContainsAny(c.Body, "\t|") {
		return 0, 0
	}
	header := make([]bool, len(r.q.Words))
	copy(header, r.titled)
	r.note(header, c.Context)
	row := make([]bool, len(r.q.Words))
	lines, tables, at, in := 0, 0, 0, false
	for line := range strings.Lines(c.Body) {
		end := at + len(line)
		clear(row)
		for len(hits) > 0 && hits[0].Start < end {
			row[hits[0].Word] = true
			hits = hits[1:]
		}
		at = end
		if strings.TrimSpace(line) == "" {
			continue
		}
		lines++
		if !isRow(line) {
			in = false
			copy(header, r.titled)
			or(header, row) // a caption
			continue
		}
		tables++
		if !in || !strings.ContainsFunc(line, unicode.IsDigit) {
			or(header, row)
		}
		in = true
		or(row, header)
		best = max(best, r.weight(row))
	}
	return best, float64(tables) / float64(max(lines, 1))
}

func isRow(line string) bool { return strings.HasPrefix(line, "|") || strings.Contains(line, "\t") }

func or(to, from []bool) {
	for i, v := range from {
		to[i] = to[i] || v
	}
}

// sentences sets the features that depend on the cosines of the best sentences.
func (r *reader) sentences(c *Candidate, f *Features) {
	var best [3]float64
	for _, s := range c.Sentences {
		for i, b := range best {
			if s.Cosine > b {
				copy(best[i+1:], best[i:])
				best[i] = s.Cosine
				break
			}
		}
	}
	n := min(len(c.Sentences), 3)
	f[fSentence], f[fSecond] = best[0], best[1]
	if n > 0 {
		f[fSentences] = (best[0] + best[1] + best[2]) / float64(n)
	}
}
