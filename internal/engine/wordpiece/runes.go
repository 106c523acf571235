package wordpiece

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// classes gives the class of a rune in the reference, whose tables are older than Go's.
type classes struct {
	later  *unicode.RangeTable // marks, formats and punctuation that the reference does not know
	silent []*unicode.RangeTable
}

func newClasses() classes {
	return classes{later: laterRunes(), silent: []*unicode.RangeTable{unicode.Cc, unicode.Cf, unicode.Co}}
}

// The runes that have another class in the reference's tables than in Go's.
const (
	ogham    = 0x166d  // a symbol today, punctuation there
	pamudpod = 0x1734  // a spacing mark today, none there
	sandhi   = 0x111c9 // a mark today, punctuation there
)

// removed tells whether r is dropped: a control, a format or private use. Spaces are checked
// before.
func (c classes) removed(r rune) bool {
	return r == utf8.RuneError || unicode.In(r, c.silent...) && !unicode.Is(c.later, r)
}

// accent tells whether r is a mark without a width of its own.
func (c classes) accent(r rune) bool {
	if r == pamudpod {
		return true
	}
	return unicode.Is(unicode.Mn, r) && !unicode.Is(c.later, r)
}

func (c classes) punctuation(r rune) bool {
	if r == ogham || r == sandhi {
		return true
	}
	return unicode.IsPunct(r) && !unicode.Is(c.later, r)
}

// ideograph tells whether r is in one of the blocks whose characters are words of their own.
func ideograph(r rune) bool {
	switch {
	case r < 0x3400:
		return false
	case r <= 0x4dbf, 0x4e00 <= r && r <= 0x9fff, 0xf900 <= r && r <= 0xfaff, 0x2f800 <= r && r <= 0x2fa1f:
		return true
	}
	return 0x20000 <= r && r <= 0x2a6df || 0x2a700 <= r && r <= 0x2b81f || 0x2b920 <= r && r <= 0x2ceaf
}

// other adds a rune that is not ASCII.
func (e *encoder) other(r rune) {
	switch {
	case r > 0x9f && unicode.IsSpace(r): // smaller ones are controls
		e.endWord()
	case e.classes.removed(r):
	case ideograph(r):
		e.endWord()
		e.letters(r)
		e.endWord()
	default:
		e.letters(r)
	}
}

// letters adds the parts of r: r itself or, if accents are removed, its base letter.
func (e *encoder) letters(r rune) {
	if e.cased {
		e.letter(r)
		return
	}
	const first, last, vowels, trails = 0xac00, 0xd7a3, 21, 28 // of the Hangul syllables
	if first <= r && r <= last {
		s := r - first
		e.letter(0x1100 + s/(vowels*trails))
		e.letter(0x1161 + s/trails%vowels)
		if trail := s % trails; trail > 0 {
			e.letter(0x11a7 + trail)
		}
		return
	}
	var buffer [utf8.UTFMax]byte
	n := utf8.EncodeRune(buffer[:], r)
	parts := norm.NFD.Properties(buffer[:n]).Decomposition()
	if len(parts) == 0 {
		parts = buffer[:n]
	}
	for len(parts) > 0 {
		part, size := utf8.DecodeRune(parts)
		parts = parts[size:]
		if !e.classes.accent(part) {
			e.letter(unicode.ToLower(part))
		}
	}
}

func (e *encoder) letter(r rune) {
	if r < utf8.RuneSelf {
		e.ascii(byte(r))
		return
	}
	if e.classes.punctuation(r) {
		e.alone(r)
		return
	}
	e.put(r)
}
