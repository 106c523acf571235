package answer

import (
	"strings"

	"docqa/internal/engine/lexical"
)

// inquiry is a question that is being answered.
type inquiry struct {
	q        *lexical.Question
	text     string // in lower case
	find     *lexical.Finder
	lang     lexical.Lang
	surfaces []string // the words in lower case
	expected expected
	negative bool    // it asks for what is not
	total    float64 // weight of all words
	named    float64 // weight of the names and numbers of the last turn
	rarest   int     // place of the most telling word of the last turn, -1 without any
	vectors  bool    // whether the passages come with cosines
}

func newInquiry(question string, q *lexical.Question) *inquiry {
	x := &inquiry{q: q, text: strings.ToLower(question), find: q.Finder(), lang: lexical.Detect(question), expected: expects(question), rarest: -1}
	x.negative = negative(strings.TrimRight(x.text, "?？ "))
	most := 0.0
	for i, w := range q.Words {
		x.total += w.Weight
		x.surfaces = append(x.surfaces, lower(w.Surface))
		if !w.Current {
			continue
		}
		if w.Name || w.Number {
			x.named += w.Weight
		}
		if w.IDF > most {
			x.rarest, most = i, w.IDF
		}
	}
	x.total = max(x.total, 1e-9)
	return x
}

// words is a set of the question's words, by their places.
type words []bool

func (x *inquiry) none() words { return make(words, len(x.q.Words)) }

// note adds the words that text holds.
func (x *inquiry) note(seen words, text string) {
	if text == "" {
		return
	}
	for _, h := range x.find.Find(text).Hits {
		seen[h.Word] = true
	}
}

func (w words) add(other words) {
	for i, v := range other {
		w[i] = w[i] || v
	}
}

// share is the part of the question's weight that lies on the words seen: 0 to 1.
func (x *inquiry) share(seen words) float64 {
	sum := 0.0
	for i, w := range x.q.Words {
		if seen[i] {
			sum += w.Weight
		}
	}
	return sum / x.total
}

// names is the share of names and numbers seen; 1 where the question has none.
func (x *inquiry) names(seen words) float64 {
	if x.named == 0 {
		return 1
	}
	found := 0.0
	for i, w := range x.q.Words {
		if seen[i] && w.Current && (w.Name || w.Number) {
			found += w.Weight
		}
	}
	return found / x.named
}

// holdsRarest is 1 where the most telling word of the last turn was seen.
func (x *inquiry) holdsRarest(seen words) float64 {
	return btof(x.rarest >= 0 && seen[x.rarest])
}
