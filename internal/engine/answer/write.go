package answer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"docqa/internal/engine/markup"
	"docqa/internal/engine/statement"
)

const (
	certain   = 0.95 // from this chance on, no further statement is added
	plain     = 0.85 // the same if the first statement is whole
	unlikely  = 0.02 // a statement with a smaller chance is not added
	contested = 6    // how many of the best statements are tried
)

// selectStatements selects the best statements, until it is likely enough that one of them
// answers. The best one stands first. The others stand in the order that brings the answer
// soonest: a short statement may stand before a long one that is hardly better.
func selectStatements(all []quotation, o Options) []quotation {
	order := slices.DeleteFunc(slices.Clone(all), func(s quotation) bool { return !s.quotable() })
	slices.SortStableFunc(order, func(a, b quotation) int { return cmp.Compare(b.score, a.score) })
	order = order[:min(len(order), contested)]
	var best []quotation
	highest := -1.0
	arrange(order, order[:min(1, len(order))], o, func(list []quotation) {
		if v := worth(list, o); v > highest {
			highest, best = v, slices.Clone(list)
		}
	})
	return best
}

// listWords is how many words a list may have.
const listWords = 90

// gather joins the caption of a list and its items to one statement if the question asks
// for the caption. A listing whose announcement says what the question asks stands alone.
func (x *question) gather(chosen, all []quotation) []quotation {
	if len(chosen) > 1 && x.announced(&chosen[0]) {
		return chosen[:1]
	}
	if len(chosen) == 0 || !x.asksForList(&chosen[0]) {
		return chosen
	}
	whole := chosen[0]
	same := func(s *quotation) bool {
		return s.passage == whole.passage && s.Lead == whole.Lead && s.Heading == whole.Heading && (s.Item || s.Kind == statement.Row)
	}
	var items []string
	caption := -1 // where it begins
	whole.words = len(strings.Fields(whole.Lead))
	for i := range all {
		s := &all[i]
		switch {
		case len(items) == 0 && s.passage == whole.passage && s.Kind == statement.Caption && s.text == whole.Lead:
			caption = s.Start
		case same(s) && (len(items) == 0 || whole.words+s.words <= listWords):
			if len(items) == 0 {
				whole.Start = s.Start
			}
			items = append(items, strings.TrimRight(s.text, ".;,"))
			whole.words, whole.End = whole.words+s.words, s.End
		}
	}
	if caption >= 0 {
		whole.Start = caption
	}
	whole.text = strings.TrimRight(whole.Lead, ": ") + ": " + strings.Join(items, "; ")
	rest := slices.DeleteFunc(slices.Clone(chosen[1:]), func(s quotation) bool { return same(&s) || whole.words+s.words > listWords })
	return append([]quotation{whole}, rest...)
}

// announcedShare is the share of the question's weight that the announcement of a listing holds if
// the listing is all that was asked for.
const announcedShare = 0.6

func (x *question) announced(s *quotation) bool {
	return s.Kind == statement.Code && x.share(s.lead) >= announcedShare
}

// asksForList tells whether the question is about the caption of a list rather than
// about the item.
func (x *question) asksForList(s *quotation) bool {
	return s.Lead != "" && (s.Item || s.Kind == statement.Row) && x.share(s.lead) > 2*x.share(s.own)
}

// arrange calls yield with every list of statements that may be an answer.
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
		chosen := slices.ContainsFunc(list, func(t quotation) bool {
			return t.passage == s.passage && t.order == s.order || t.text == s.text && t.Term == s.Term
		})
		if !chosen && s.chance >= unlikely && words+s.words <= o.Words {
			arrange(from, append(slices.Clip(list), *s), o, yield)
		}
	}
}

// worth returns the value of a list: the chance that it holds the answer, and that the
// answer stands early. Words behind the aim do not count as early.
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

// writer writes the statements of an answer.
type writer struct {
	text     strings.Builder
	backtick bool // the text has a backtick without another: see markup.Unlink
	named    bool // the statement before belongs to the same entry
}

// write puts the statements one after the other, each with the number of its passage
// before its full stop.
func write(chosen []quotation, number func(passage int) int) (text string, citations []Citation) {
	var w writer
	for i := range chosen {
		s := &chosen[i]
		switch {
		case i == 0:
		case chosen[i-1].Kind == statement.Code:
			w.text.WriteByte('\n')
		default:
			w.text.WriteByte(' ')
		}
		c := Citation{Begin: w.text.Len(), Passage: s.passage, QuoteBegin: s.Start, QuoteEnd: s.End}
		w.named = i > 0 && chosen[i-1].Term == s.Term && chosen[i-1].passage == s.passage
		w.statement(s, "["+strconv.Itoa(number(s.passage))+"]")
		c.End = w.text.Len()
		citations = append(citations, c)
	}
	return w.text.String(), citations
}

// statement writes a statement as a reader understands it without the document: a definition
// with its term, an item with the sentence that announces its list, a listing as a block
// with the sentence that announces it. mark is the number of its passage in brackets.
func (w *writer) statement(s *quotation, mark string) {
	if s.Kind == statement.Code {
		if lead := strings.TrimRight(s.Lead, ".: "); lead != "" {
			w.prose(lead)
			w.text.WriteByte(' ')
		}
		w.text.WriteString(mark + ":\n\n" + markup.Fence(s.text) + "\n" + s.text + "\n" + markup.Fence(s.text))
		w.backtick = false // a listing ends the paragraph
		return
	}
	text := s.text
	switch {
	case s.Item && s.Lead != "" && !strings.HasPrefix(text, s.Lead):
		text = strings.TrimRight(s.Lead, ": ") + ": " + text
	case s.Term != "" && !w.named && !strings.Contains(s.folded, lower(s.Term)):
		text = asCode(s.Term) + ": " + text
	}
	body, stop := cutStop(text)
	w.prose(body)
	w.text.WriteString(" " + mark + stop)
}

// asCode puts a term that has the form of code, such as an option or a signature, between backticks,
// so that its stars and underscores are no markup.
func asCode(term string) string {
	if !strings.HasPrefix(term, "-") && !strings.ContainsAny(term, "()[]{}<>=_$*\\/") || strings.ContainsAny(term, "`\n") {
		return term
	}
	return "`" + term + "`"
}

// shown returns a statement as an answer would show it.
func (s *quotation) shown() string {
	var w writer
	w.statement(s, "")
	return w.text.String()
}

func (w *writer) prose(text string) {
	text, w.backtick = markup.Unlink(text, w.backtick)
	w.text.WriteString(text)
}

// cutStop splits a sentence from its final mark. The mark is a full stop if it has none.
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
