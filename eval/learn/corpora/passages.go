package corpora

import (
	"slices"
	"unicode/utf8"

	"docqa/eval/dataset"
	"docqa/eval/score"
)

// Hit reports whether the chunk alone answers q, by the rules of the evaluation.
func (c *Corpus) Hit(q *dataset.Question, k *Chunk) bool {
	return score.Rank(q, c.Set.PageSlack, []score.Passage{k.passage()}) > 0
}

func (k *Chunk) passage() score.Passage {
	return score.Passage{File: k.File, Page: k.Page, Text: k.Text}
}

// Rank returns the place, from 1, of the first passage that answers q, if the chunks come in this order and neighbours are joined. It is 0
// if none of the first ten does.
func (c *Corpus) Rank(q *dataset.Question, order []*Chunk) int {
	return score.Rank(q, c.Set.PageSlack, c.Passages(order, 10))
}

// maxJoined is how many neighbours the service joins to one passage at most.
const maxJoined = 3

// run is a number of chunks that follow each other.
type run struct{ first, last *Chunk }

func (r run) chunks() int { return r.last.Ordinal - r.first.Ordinal + 1 }

// Passages returns the first n passages that the service would return for chunks in this order. A chunk joins the passage of its
// neighbour if that comes before it.
func (c *Corpus) Passages(order []*Chunk, n int) []score.Passage {
	var runs []run
	for _, k := range order {
		at := slices.IndexFunc(runs, func(r run) bool {
			return r.chunks() < maxJoined && (adjacent(r.last, k) || adjacent(k, r.first))
		})
		if at < 0 && len(runs) == n {
			break
		}
		switch {
		case at < 0:
			runs = append(runs, run{k, k})
		case runs[at].first.Ordinal > k.Ordinal:
			runs[at].first = k
		default:
			runs[at].last = k
		}
	}
	list := make([]score.Passage, len(runs))
	for i, r := range runs {
		list[i] = r.first.passage()
		if r.first != r.last {
			list[i].Text = c.text(r.first, r.last)
		}
	}
	return list
}

// adjacent reports whether b follows a on the same page with no more between them than the lead of b.
func adjacent(a, b *Chunk) bool {
	return a.File == b.File && a.Page == b.Page && a.Ordinal+1 == b.Ordinal && b.Start >= a.Start && b.End >= a.End && b.Start <= a.End+utf8.RuneCountInString(b.Lead)
}

// text returns the text of the document from the first chunk to the last.
func (c *Corpus) text(first, last *Chunk) string {
	for i := range c.Documents[first.File].Pages {
		if page := &c.Documents[first.File].Pages[i]; page.Number == first.Page {
			return string([]rune(page.Text)[first.Start:last.End])
		}
	}
	return ""
}
