package chunk

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/sentence"
)

// unit is the smallest piece of a page that is not divided between chunks: a sentence, a table
// row, a line of a listing, a heading.
type unit struct {
	start, end int // code points in the page
	from, to   int // the same in bytes
	size       int // in words; or in characters, with what separates it from the unit before
	kind       doc.Kind
	level      int
	block      int // counts the blocks of the page
	text       string
}

// ruler measures text in words or in characters (code points).
type ruler struct {
	maxSize    int // no unit is larger
	characters bool
}

func (r ruler) size(text string) int {
	if r.characters {
		return utf8.RuneCountInString(text)
	}
	return words(text)
}

// cut divides a span that is larger than maxSize.
func (r ruler) cut(text string, s sentence.Span) []sentence.Span {
	switch {
	case r.size(text[s.Start:s.End]) <= r.maxSize:
		return []sentence.Span{s}
	case r.characters:
		return cutCharacters(text, s, r.maxSize)
	}
	return cutWords(text, s, r.maxSize)
}

// units yields the pieces of a page's blocks, in reading order.
func units(p *doc.Page, r ruler) iter.Seq[unit] {
	return func(yield func(unit) bool) {
		at, runes := 0, 0 // bytes and code points of the page that lie behind
		end := 0          // code point after the last unit
		for i := range p.Blocks {
			b := &p.Blocks[i]
			for ; runes < b.Start && at < len(p.Text); runes++ {
				_, size := utf8.DecodeRuneInString(p.Text[at:])
				at += size
			}
			for u := range blockUnits(b, at, r) {
				u.block = i
				if r.characters && end > 0 {
					u.size = u.end - end
				}
				if end = u.end; !yield(u) {
					return
				}
			}
		}
	}
}

// blockUnits yields the pieces of one block, whose text begins at byte offset of its page.
func blockUnits(b *doc.Block, offset int, r ruler) iter.Seq[unit] {
	return func(yield func(unit) bool) {
		at, runes := 0, b.Start
		for s := range spans(b) {
			for _, part := range r.cut(b.Text, s) {
				runes += utf8.RuneCountInString(b.Text[at:part.Start])
				text := b.Text[part.Start:part.End]
				u := unit{start: runes, from: offset + part.Start, to: offset + part.End, kind: b.Kind, level: b.Level, text: text, size: r.size(text)}
				runes += utf8.RuneCountInString(text)
				u.end, at = runes, part.End
				if !yield(u) {
					return
				}
			}
		}
	}
}

// spans returns the pieces into which a block may be cut: the whole block, sentences or lines.
func spans(b *doc.Block) iter.Seq[sentence.Span] {
	switch b.Kind {
	case doc.Code:
		return lines(b.Text)
	case doc.Paragraph, doc.ListItem:
		return sentence.All(b.Text)
	case doc.Heading, doc.TableHeader, doc.TableRow:
	}
	return func(yield func(sentence.Span) bool) { yield(sentence.Span{Start: 0, End: len(b.Text)}) }
}

// lines cuts a listing into its lines that are not empty.
func lines(text string) iter.Seq[sentence.Span] {
	return func(yield func(sentence.Span) bool) {
		at := 0
		for line := range strings.Lines(text) {
			t := strings.TrimRightFunc(line, unicode.IsSpace)
			if t != "" && !yield(sentence.Span{Start: at, End: at + len(t)}) {
				return
			}
			at += len(line)
		}
	}
}

// cutCharacters divides a span into pieces of at most so many characters, at white
// space where there is any in the second half of a piece.
func cutCharacters(text string, s sentence.Span, maxSize int) []sentence.Span {
	var out []sentence.Span
	start, runes := s.Start, 0 // of the piece
	space, after := -1, 0      // the last white space in it, and the characters behind that
	for i, r := range text[s.Start:s.End] {
		at := s.Start + i
		if runes == maxSize {
			to := at
			if space >= 0 && after < maxSize/2 {
				to, runes = space, after
			} else {
				runes = 0
			}
			out = append(out, trim(text, start, to))
			start, space, after = to, -1, 0
		}
		runes++
		after++
		if unicode.IsSpace(r) {
			space, after = at+utf8.RuneLen(r), 0
		}
	}
	return append(out, trim(text, start, s.End))
}

// cutWords divides a span into pieces of at most so many words, at white space, or
// between characters where there is none.
func cutWords(text string, s sentence.Span, maxSize int) []sentence.Span {
	var out []sentence.Span
	var c counter
	start := s.Start
	for i, r := range text[s.Start:s.End] {
		at := s.Start + i
		c.add(r)
		if c.words() > maxSize && !unicode.IsSpace(r) {
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

// longWord is how many letters count as one word: a longer run of letters counts as several
// words, so that no chunk grows without bound.
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
