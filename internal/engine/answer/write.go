package answer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	certain   = 0.95 // the chance from which no further statement is added
	unlikely  = 0.02 // the chance below which none is added
	contested = 6    // how many of the best statements compete for the places
)

// choose takes the best statements, until it is likely enough that one of them answers.
// Of the ways to place them it takes the one that brings the answer soonest: short
// statements may stand before a long one that is hardly better.
func choose(all []quotation, o Options) []quotation {
	order := slices.DeleteFunc(slices.Clone(all), func(s quotation) bool { return !s.quotable() })
	slices.SortStableFunc(order, func(a, b quotation) int { return cmp.Compare(b.score, a.score) })
	order = order[:min(len(order), contested)]
	var best []quotation
	most := -1.0
	arrange(order, nil, o, func(list []quotation) {
		if v := worth(list, o); v > most {
			most, best = v, slices.Clone(list)
		}
	})
	return best
}

// arrange calls yield with every list of statements that an answer may be.
func arrange(from, list []quotation, o Options, yield func([]quotation)) {
	if len(list) > 0 {
		yield(list)
	}
	sure, words := 0.0, 0
	for i := range list {
		sure, words = sure+list[i].chance, words+list[i].words
	}
	if len(list) == o.Sentences || sure >= certain {
		return
	}
	for i := range from {
		s := &from[i]
		taken := slices.ContainsFunc(list, func(t quotation) bool { return t.passage == s.passage && t.order == s.order })
		if !taken && (len(list) == 0 || s.chance >= unlikely && words+s.words <= o.Words) {
			arrange(from, append(list, *s), o, yield)
		}
	}
}

// worth is the chance that a list holds the answer, and that it holds it soon: the
// words that stand behind the aim do not count.
func worth(list []quotation, o Options) float64 {
	sum, at := 0.0, 0
	for i := range list {
		n := max(list[i].words, 1)
		soon := min(1, max(0, float64(o.Aim-at)/float64(n)))
		sum += list[i].chance * (soon + 0.5)
		at += n
	}
	return sum
}

// write puts the statements one after the other, each with the number of its passage
// before its full stop.
func write(chosen []quotation) (text string, sources []int) {
	var b strings.Builder
	for i, s := range chosen {
		if i > 0 {
			b.WriteByte(' ')
		}
		body, stop := cutStop(s.text)
		b.WriteString(body + " [" + strconv.Itoa(s.passage+1) + "]" + stop)
		if !slices.Contains(sources, s.passage) {
			sources = append(sources, s.passage)
		}
	}
	return b.String(), sources
}

// cutStop parts a sentence from its final mark; one without any gets a full stop.
func cutStop(s string) (body, stop string) {
	r, size := utf8.DecodeLastRuneInString(s)
	switch r {
	case '.', '!', '?', '。', '！', '？', '।', '؟':
		return s[:len(s)-size], s[len(s)-size:]
	case ',', ';', ':':
		return s[:len(s)-size], "."
	}
	return s, "."
}
