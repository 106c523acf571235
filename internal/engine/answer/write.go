package answer

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"docqa/internal/engine/statement"
)

const (
	certain   = 0.95 // the chance from which no further statement is added
	plain     = 0.5  // the same where the first holds most of the question, and what it asks for
	unlikely  = 0.02 // the chance below which none is added
	contested = 6    // how many of the best statements compete for the places
)

// choose takes the best statements, until it is likely enough that one of them answers.
// The best one stands first; of the ways to place the others it takes the one that brings
// the answer soonest: a short statement may stand before a long one that is hardly better.
func choose(all []quotation, o Options) []quotation {
	order := slices.DeleteFunc(slices.Clone(all), func(s quotation) bool { return !s.quotable() })
	slices.SortStableFunc(order, func(a, b quotation) int { return cmp.Compare(b.score, a.score) })
	order = order[:min(len(order), contested)]
	var best []quotation
	most := -1.0
	arrange(order, order[:min(1, len(order))], o, func(list []quotation) {
		if v := worth(list, o); v > most {
			most, best = v, slices.Clone(list)
		}
	})
	return best
}

// listed is how many words a list may have.
const listed = 90

// gather makes one statement of the items of a list where the question asks for what
// announces them: the caption and the items behind it.
func (x *inquiry) gather(chosen, all []quotation) []quotation {
	if len(chosen) == 0 || !x.asksForList(&chosen[0]) {
		return chosen
	}
	whole := chosen[0]
	same := func(s *quotation) bool {
		return s.passage == whole.passage && s.Lead == whole.Lead && s.Heading == whole.Heading && (s.Item || s.Kind == statement.Row)
	}
	var items []string
	whole.words = len(strings.Fields(whole.Lead))
	for i := range all {
		if s := &all[i]; same(s) && (len(items) == 0 || whole.words+s.words <= listed) {
			items = append(items, strings.TrimRight(s.text, ".;,"))
			whole.words += s.words
		}
	}
	whole.text = strings.TrimRight(whole.Lead, ": ") + ": " + strings.Join(items, "; ")
	rest := slices.DeleteFunc(slices.Clone(chosen[1:]), func(s quotation) bool { return same(&s) || whole.words+s.words > listed })
	return append([]quotation{whole}, rest...)
}

// asksForList tells whether the question is about the caption of a list rather than
// about the item.
func (x *inquiry) asksForList(s *quotation) bool {
	return s.Lead != "" && (s.Item || s.Kind == statement.Row) && x.share(s.lead) > 2*x.share(s.own)
}

// arrange calls yield with every list of statements that an answer may be.
func arrange(from, list []quotation, o Options, yield func([]quotation)) {
	if len(list) == 0 {
		return
	}
	yield(list)
	sure, words := 0.0, 0
	for i := range list {
		sure, words = sure+list[i].chance, words+list[i].words
	}
	if len(list) == o.Sentences || sure >= certain || list[0].chance >= plain && list[0].whole {
		return
	}
	for i := range from {
		s := &from[i]
		taken := slices.ContainsFunc(list, func(t quotation) bool { return t.passage == s.passage && t.order == s.order })
		if !taken && s.chance >= unlikely && words+s.words <= o.Words {
			arrange(from, append(slices.Clip(list), *s), o, yield)
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
		body, stop := cutStop(unlinked(s.text))
		b.WriteString(body + " [" + strconv.Itoa(s.passage+1) + "]" + stop)
		if !slices.Contains(sources, s.passage) {
			sources = append(sources, s.passage)
		}
	}
	return b.String(), sources
}

var address = regexp.MustCompile(`(?i)(?:\b[a-z][a-z0-9+.-]*:)?//(?:www\.)?([^\s/]+\.)|\bwww\.([^\s/]+\.)`)

// unlinked leaves of an address what a reader needs and no renderer makes a link of:
// what a document's author wants to be followed is no citation.
func unlinked(s string) string {
	if !strings.Contains(s, "//") && !strings.Contains(strings.ToLower(s), "www.") {
		return s
	}
	return address.ReplaceAllString(s, "$1$2")
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
