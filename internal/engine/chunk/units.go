package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/sentence"
)

// unit is the smallest piece of a page that a chunk takes or leaves: a sentence, a
// table row, a line of a listing, a heading.
type unit struct {
	start, end int // code points in the page
	from, to   int // the same in bytes
	words      int
	kind       doc.Kind
	level      int
	block      int // counts the blocks of the page
	text       string
}

// units cuts the blocks of a page; none has more than most words.
func units(p *doc.Page, most int) []unit {
	var out []unit
	at, runes := 0, 0 // bytes and code points of the page that lie behind
	for i := range p.Blocks {
		b := &p.Blocks[i]
		for ; runes < b.Start && at < len(p.Text); runes++ {
			_, size := utf8.DecodeRuneInString(p.Text[at:])
			at += size
		}
		var spans []sentence.Span
		switch b.Kind {
		case doc.Heading, doc.TableHeader, doc.TableRow:
			spans = []sentence.Span{{Start: 0, End: len(b.Text)}}
		case doc.Code:
			spans = lines(b.Text)
		case doc.Paragraph, doc.ListItem:
			spans = sentence.Split(b.Text)
		}
		out = appendUnits(out, b, i, at, spans, most)
	}
	return out
}

// appendUnits appends the spans of block number n, whose text begins at byte offset of
// its page.
func appendUnits(out []unit, b *doc.Block, n, offset int, spans []sentence.Span, most int) []unit {
	at, runes := 0, b.Start
	for _, s := range spans {
		for _, part := range cut(b.Text, s, most) {
			runes += utf8.RuneCountInString(b.Text[at:part.Start])
			text := b.Text[part.Start:part.End]
			u := unit{start: runes, from: offset + part.Start, to: offset + part.End, words: words(text), kind: b.Kind, level: b.Level, block: n, text: text}
			runes += utf8.RuneCountInString(text)
			u.end, at = runes, part.End
			out = append(out, u)
		}
	}
	return out
}

// lines cuts a listing into its lines that are not empty.
func lines(text string) []sentence.Span {
	var out []sentence.Span
	at := 0
	for line := range strings.Lines(text) {
		if t := strings.TrimRightFunc(line, unicode.IsSpace); t != "" {
			out = append(out, sentence.Span{Start: at, End: at + len(t)})
		}
		at += len(line)
	}
	return out
}

// cut divides a span of more than most words at white space, or between characters
// where there is none.
func cut(text string, s sentence.Span, most int) []sentence.Span {
	if words(text[s.Start:s.End]) <= most {
		return []sentence.Span{s}
	}
	var out []sentence.Span
	var c counter
	start := s.Start
	for i, r := range text[s.Start:s.End] {
		at := s.Start + i
		c.add(r)
		if c.words() > most && !unicode.IsSpace(r) {
			out = append(out, trim(text, start, at))
			start, c = at, counter{}
			c.add(r)
		}
	}
	return append(out, trim(text, start, s.End))
}

func trim(text string, start, end int) sentence.Span {
	return sentence.Span{Start: start, End: start + len(strings.TrimRightFunc(text[start:end], unicode.IsSpace))}
}

// longWord is how many letters count as one word: a run of letters without end is as
// many words as it has room for, so that no chunk grows without bound.
const longWord = 40

// counter counts words; two characters of a script without spaces count as one.
type counter struct {
	whole, dense int
	run          int // letters since the last space
}

func (c *counter) add(r rune) {
	switch {
	case unicode.IsSpace(r):
		c.run = 0
	case unspaced(r):
		c.dense++
		c.run = 0
	default:
		if c.run%longWord == 0 {
			c.whole++
		}
		c.run++
	}
}

func (c *counter) words() int { return c.whole + (c.dense+1)/2 }

// words counts the words of text.
func words(text string) int {
	var c counter
	for _, r := range text {
		c.add(r)
	}
	return c.words()
}

func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
