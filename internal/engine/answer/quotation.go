package answer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/engine/lexical"
	"docqa/internal/engine/statement"
)

// quotation is a statement of a passage that may answer.
type quotation struct {
	statement.Span

	passage int    // place in the passages
	title   string // of its document
	order   int    // place in the passage
	text    string // as it is shown
	folded  string // in lower case
	words   int
	hits    []lexical.Hit // of the question's words in text
	tokens  int
	own     words   // the question's words in text
	context words   // those that only its surroundings hold
	before  words   // those that only the statement before holds
	asked   words   // those of the question above it
	lead    words   // those of the caption and the headings above it
	cosine  float64 // with the question; 0 without vectors
	whole   bool    // it and its surroundings hold most of the question's words, and what it asks for
	score   float64 // the higher, the likelier it answers
	chance  float64 // that it is the statement that answers, if one of them does
}

// quotable tells whether the statement can stand in an answer: a question or a caption
// cannot.
func (s *quotation) quotable() bool {
	return s.Kind.Quotable()
}

// quotations splits a passage into statements and finds the question's words in them.
func (x *question) quotations(number int, p *Passage) []quotation {
	title := x.none()
	x.note(title, p.Title)
	for _, h := range p.HeadingPath {
		x.note(title, h)
	}
	before := x.none() // words of the sentence before
	spans := statement.Split(statement.Piece{Body: p.Text, Marks: p.Marks, Context: p.Context})
	cosines := cosines(p, spans)
	out := make([]quotation, 0, len(spans))
	for i, span := range spans {
		s := quotation{Span: span, passage: number, title: p.Title, order: i, text: span.Text, folded: lower(span.Text), cosine: cosines[i]}
		s.own, s.context, s.asked, s.lead = x.none(), x.none(), x.none(), x.none()
		m := x.find.Find(s.text)
		s.hits, s.tokens, s.words = m.Hits, m.Tokens, max(len(strings.Fields(s.text)), m.Tokens/2)
		for _, h := range s.hits {
			s.own[h.Word] = true
		}
		x.note(s.lead, span.Heading)
		x.note(s.lead, span.Term)
		x.note(s.lead, span.Lead)
		s.context.add(title)
		s.context.add(s.lead)
		if span.Kind == statement.Row {
			x.note(s.context, p.Context)
		} else {
			x.note(s.asked, span.Asked)
			s.context.add(s.asked)
			s.context.add(before)
		}
		s.before = slices.Clone(before)
		for w, own := range s.own {
			s.context[w], s.before[w] = s.context[w] && !own, s.before[w] && !own
		}
		before = s.own
		out = append(out, s)
	}
	return out
}

// lower returns text in lower case with the same byte positions: a letter whose cases
// differ in size stays as it is.
func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, text)
}

// cosines returns the cosine of each statement: that of the sentence that covers most of
// it, or 0 if none does.
func cosines(p *Passage, spans []statement.Span) []float64 {
	out := make([]float64, len(spans))
	if len(p.Sentences) == 0 {
		return out
	}
	at, runes := 0, 0
	for i, s := range spans {
		runes += utf8.RuneCountInString(p.Text[at:s.Start])
		end := runes + utf8.RuneCountInString(p.Text[s.Start:s.End])
		highest := 0
		for _, c := range p.Sentences {
			if both := min(end, c.End) - max(runes, c.Start); both > highest {
				highest, out[i] = both, c.Cosine
			}
		}
		runes, at = end, s.End
	}
	return out
}
