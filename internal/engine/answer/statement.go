package answer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/engine/lexical"
	"docqa/internal/engine/sentence"
)

// statement is a sentence or table row that may answer.
type statement struct {
	passage int    // place in the passages
	order   int    // place in the passage
	text    string // as it is shown, without markup
	words   int
	hits    []lexical.Hit // of the question's words in text
	context []bool        // the question's words that only its surroundings hold
	score   float64
	caption bool // it announces what follows rather than to say it
	asks    bool // it is a question, which answers nothing
}

// statements cuts a passage into what can be quoted from it.
func (x *inquiry) statements(number int, p *Passage) []statement {
	var out []statement
	around := make([]bool, len(x.q.Words))
	x.note(around, p.Title)
	for _, h := range p.HeadingPath {
		x.note(around, h)
	}
	var t table
	before := make([]bool, len(x.q.Words)) // words of the sentence before
	asked := make([]bool, len(x.q.Words))  // words of the question that the sentences answer
	for _, span := range sentence.Split(p.Text) {
		raw := p.Text[span.Start:span.End]
		s := statement{passage: number, order: len(out), context: make([]bool, len(x.q.Words))}
		copy(s.context, around)
		switch cells := row(raw); {
		case cells != nil:
			if !t.add(cells) {
				continue
			}
			s.text = t.statement()
			for _, h := range t.head() {
				x.note(s.context, h)
			}
		case heading(raw):
			t = table{}
			x.note(around, raw)
			continue
		default:
			t = table{}
			s.text, s.caption = tidy(raw), caption(raw)
			s.asks = strings.HasSuffix(s.text, "?") || strings.HasSuffix(s.text, "？")
			or(s.context, before)
			or(s.context, asked)
		}
		if s.text == "" {
			continue
		}
		m := x.find.Find(s.text)
		s.hits, s.words = m.Hits, max(len(strings.Fields(s.text)), m.Tokens/2)
		clear(before)
		if s.asks {
			clear(asked)
		}
		for _, h := range s.hits {
			before[h.Word] = true
			asked[h.Word] = asked[h.Word] || s.asks
			around[h.Word] = around[h.Word] || s.caption
		}
		out = append(out, s)
	}
	return out
}

func (x *inquiry) note(seen []bool, text string) {
	for _, h := range x.find.Find(text).Hits {
		seen[h.Word] = true
	}
}

func or(to, from []bool) {
	for i, v := range from {
		to[i] = to[i] || v
	}
}

// heading tells whether a line only names what follows.
func heading(raw string) bool {
	return strings.HasPrefix(raw, "#") && strings.HasPrefix(strings.TrimLeft(raw, "#"), " ")
}

// caption tells whether a line without markup announces what follows: it ends with a
// colon, or is short, without a full stop and without figures.
func caption(raw string) bool {
	raw = strings.TrimSpace(raw)
	if strings.HasSuffix(raw, ":") {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(raw, "\"')]*_”’»"))
	return unicode.IsLetter(r) && !unicode.Is(unicode.Han, r) && len(strings.Fields(raw)) <= 12 &&
		!strings.ContainsFunc(raw, unicode.IsDigit) && !bulleted(raw)
}

// bullets are the marks of list items.
func bullets() []string { return []string{"- ", "* ", "+ ", "• ", "◦ ", "▪ ", "● "} }

func bulleted(raw string) bool {
	return slices.ContainsFunc(bullets(), func(mark string) bool { return strings.HasPrefix(raw, mark) })
}

// tidy drops the markup of Markdown and puts the sentence on one line.
func tidy(raw string) string {
	s := strings.TrimLeft(raw, "> ")
	for _, mark := range bullets() {
		s = strings.TrimPrefix(s, mark)
	}
	s = unlink(s)
	if strings.ContainsAny(s, "*_`") { // a replacer costs more than the sentence
		s = strings.NewReplacer("**", "", "__", "", "`", "").Replace(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// unlink puts the text of a link in its place; images vanish.
func unlink(s string) string {
	for {
		open := strings.Index(s, "](")
		if open < 0 {
			return s
		}
		start := strings.LastIndexByte(s[:open], '[')
		end := strings.IndexByte(s[open:], ')')
		if start < 0 || end < 0 {
			return s
		}
		text, from := s[start+1:open], start
		if start > 0 && s[start-1] == '!' {
			text, from = "", start-1
		}
		s = s[:from] + text + s[open+end+1:]
	}
}
