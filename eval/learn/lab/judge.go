package lab

import (
	"slices"
	"unicode/utf8"

	"docqa/eval/dataset"
	"docqa/eval/score"
)

// Hit tells whether the chunk alone answers q, as an evaluation of the service judges it.
func (c *Corpus) Hit(q *dataset.Question, k *Chunk) bool {
	return score.Rank(q, c.Set.PageSlack, []score.Passage{k.passage()}) > 0
}

func (k *Chunk) passage() score.Passage {
	return score.Passage{File: k.File, Page: k.Page, Text: k.Text}
}

// Rank is the place, from 1, of the first passage that answers q where the chunks come
// in this order and the service joins neighbours; 0 = none of the first ten does.
func (c *Corpus) Rank(q *dataset.Question, order []*Chunk) int {
	return score.Rank(q, c.Set.PageSlack, c.Passages(order, 10))
}

// mostJoined is how many neighbours the service joins to one passage.
const mostJoined = 3

// run is chunks that follow each other.
type run struct{ first, last *Chunk }

func (r run) chunks() int { return r.last.Ordinal - r.first.Ordinal + 1 }

// Passages are the first passages that the service would show of chunks in this order:
// a chunk joins neighbours that come before it.
func (c *Corpus) Passages(order []*Chunk, most int) []score.Passage {
	var runs []run
	for _, k := range order {
		at := slices.IndexFunc(runs, func(r run) bool {
			return r.chunks() < mostJoined && (adjacent(r.last, k) || adjacent(k, r.first))
		})
		if at < 0 && len(runs) == most {
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

// adjacent tells whether b follows a on the same page and what stands between is known.
func adjacent(a, b *Chunk) bool {
	return a.File == b.File && a.Page == b.Page && a.Ordinal+1 == b.Ordinal && b.Start >= a.Start && b.End >= a.End && b.Start <= a.End+utf8.RuneCountInString(b.Lead)
}

// text is the document's text from the first chunk to the last.
func (c *Corpus) text(first, last *Chunk) string {
	for i := range c.Documents[first.File].Pages {
		if page := &c.Documents[first.File].Pages[i]; page.Number == first.Page {
			return string([]rune(page.Text)[first.Start:last.End])
		}
	}
	return ""
}
