package answer

import (
	"slices"
	"strings"

	"docqa/internal/engine/lexical"
	"docqa/internal/engine/statement"
)

// quotation is a sentence or table row that may answer.
type quotation struct {
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

// statements are what can be quoted from a passage.
func (x *inquiry) statements(number int, p *Passage) []quotation {
	var out []quotation
	title := make([]bool, len(x.q.Words))
	x.note(title, p.Title)
	for _, h := range p.HeadingPath {
		x.note(title, h)
	}
	before := make([]bool, len(x.q.Words)) // words of the sentence before
	for _, span := range statement.Split(p.Text) {
		s := quotation{passage: number, order: len(out), text: span.Text, context: slices.Clone(title)}
		s.caption, s.asks = span.Kind == statement.Caption, span.Kind == statement.Question
		x.note(s.context, span.Heading)
		x.note(s.context, span.Lead)
		if span.Kind != statement.Row {
			x.note(s.context, span.Asked)
			or(s.context, before)
		}
		m := x.find.Find(s.text)
		s.hits, s.words = m.Hits, max(len(strings.Fields(s.text)), m.Tokens/2)
		clear(before)
		for _, h := range s.hits {
			before[h.Word] = true
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
