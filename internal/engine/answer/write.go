package answer

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// choose takes the best statement and, as long as the words last, the next best.
func choose(all []quotation, o Options) []quotation {
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b quotation) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	chosen := order[:1]
	words := order[0].words
	for _, s := range order[1:] {
		if len(chosen) == o.Sentences || s.score < order[0].score*0.6 {
			break
		}
		if words+s.words <= o.Words {
			chosen = append(chosen, s)
			words += s.words
		}
	}
	return arrange(chosen)
}

// arrange keeps the passage of the best statement in front and the sentences of one
// passage in their order.
func arrange(chosen []quotation) []quotation {
	place := map[int]int{}
	for i, s := range chosen {
		if _, ok := place[s.passage]; !ok {
			place[s.passage] = i
		}
	}
	slices.SortStableFunc(chosen, func(a, b quotation) int {
		if a.passage != b.passage {
			return place[a.passage] - place[b.passage]
		}
		return a.order - b.order
	})
	return chosen
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
