package answer

import (
	"slices"
	"strings"
	"unicode"

	"docqa/internal/engine/lexical"
)

// question is a question that is being answered, with what its words tell.
type question struct {
	q        *lexical.Question
	text     string // in lower case
	find     *lexical.Finder
	lang     lexical.Lang
	surfaces []string // the words in lower case
	expected expected
	negative bool                  // it asks for what is denied or excluded
	total    float64               // weight of all words
	named    float64               // weight of the names and numbers of the last turn
	rarest   int                   // index of the rarest word of the last turn, -1 if it has no words
	vectors  bool                  // the passages come with cosines
	exact    []string              // its words that are names by their form
	plain    []string              // all its words in lower case, without marks
	entries  map[string]entryMatch // by term
}

func newQuestion(text string, q *lexical.Question) *question {
	q = withoutMeasures(q, text)
	x := &question{q: q, text: strings.ToLower(text), find: q.Finder(), lang: lexical.Detect(text), expected: expects(text), rarest: -1}
	x.negative = negative(strings.TrimRight(x.text, "?？ "))
	x.exact, x.entries = exactNames(text), map[string]entryMatch{}
	for w := range strings.FieldsSeq(x.text) {
		x.plain = append(x.plain, strings.Trim(w, "`'\"‘’“”?!.,;:()"))
	}
	highest := 0.0
	for i, w := range q.Words {
		x.total += w.Weight
		x.surfaces = append(x.surfaces, lower(w.Surface))
		if !w.Current {
			continue
		}
		if w.Name || w.Number {
			x.named += w.Weight
		}
		if w.IDF > highest {
			x.rarest, highest = i, w.IDF
		}
	}
	x.total = max(x.total, 1e-9)
	return x
}

// withoutMeasures returns the terms of a question with no weight on the word that says what is
// measured: nothing that answers "How long does it last?" holds the word "long".
func withoutMeasures(q *lexical.Question, text string) *lexical.Question {
	measure, before := "", ""
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) })
		if isMeasure(before, w) {
			measure = w
			break
		}
		before = w
	}
	at := slices.IndexFunc(q.Words, func(w lexical.Word) bool { return w.Current && strings.EqualFold(w.Surface, measure) })
	if measure == "" || at < 0 || len(q.Words) == 1 {
		return q
	}
	out := *q
	out.Words = slices.Clone(q.Words)
	out.Words[at].Weight, out.Words[at].IDF, out.Words[at].Current = 0, 0, false
	return &out
}

// isMeasure reports whether a word says what is measured behind the question word before it.
func isMeasure(before, w string) bool {
	switch before {
	case "how":
		return slices.Contains([]string{"long", "many", "much", "often", "old", "far", "tall", "big", "large", "high", "fast", "deep", "heavy", "soon", "late", "wide", "thick"}, w)
	case "wie":
		return slices.Contains([]string{"lange", "viele", "viel", "oft", "alt", "weit", "hoch", "groß", "schnell", "teuer", "schwer", "tief", "breit"}, w)
	}
	return false
}

// words is a set of the question's words, by index.
type words []bool

func (x *question) none() words { return make(words, len(x.q.Words)) }

// note adds to seen the words of the question that text holds.
func (x *question) note(seen words, text string) {
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

// share returns the weight of the words seen as a share of the question's weight, 0 to 1.
func (x *question) share(seen words) float64 {
	sum := 0.0
	for i, w := range x.q.Words {
		if seen[i] {
			sum += w.Weight
		}
	}
	return sum / x.total
}

// names returns the share of the question's names and numbers that was seen; 1 if it has
// none.
func (x *question) names(seen words) float64 {
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

// holdsRarest returns 1 if the rarest word of the last turn was seen.
func (x *question) holdsRarest(seen words) float64 {
	return btof(x.rarest >= 0 && seen[x.rarest])
}
