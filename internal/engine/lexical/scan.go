package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// class is how a token becomes a term.
type class uint8

const (
	word   class = iota // letters, perhaps with digits: lower-cased and stemmed
	number              // digits, with inner points and commas
	gram                // two neighbouring characters of a script without spaces
)

// token is a piece of text that gives one term.
type token struct {
	start, end int // bytes
	class      class
}

// scanner walks over the tokens of a text.
type scanner struct {
	text string
	at   int
	tail int // end of the run of unspaced characters that is being divided into grams; 0 outside of one
}

// next returns the next token; ok is false at the end.
func (s *scanner) next() (t token, ok bool) {
	if s.tail > 0 {
		if t, ok = s.nextGram(); ok {
			return t, true
		}
	}
	for s.at < len(s.text) {
		if c := s.text[s.at]; c < utf8.RuneSelf && !alphanumeric(c) {
			s.at++
			continue
		}
		r, size := s.rune(s.at)
		switch {
		case isDigit(r):
			return s.number(), true
		case unspaced(r):
			s.tail = s.runEnd(s.at, unspaced)
			if utf8.RuneLen(r)+s.at >= s.tail {
				t = token{s.at, s.tail, gram}
				s.at, s.tail = s.tail, 0
				return t, true
			}
			return s.nextGram()
		case isLetter(r):
			return s.word(), true
		}
		s.at += size
	}
	return token{}, false
}

// nextGram returns the pair of characters at the current place of an unspaced run.
func (s *scanner) nextGram() (token, bool) {
	_, first := s.rune(s.at)
	if s.at+first >= s.tail {
		s.at, s.tail = s.tail, 0
		return token{}, false
	}
	_, second := s.rune(s.at + first)
	t := token{s.at, s.at + first + second, gram}
	s.at += first
	return t, true
}

// number reads digits with points and commas between them. If letters follow directly, the
// whole is a word ("3d", "4th"), except after a year ("2023Q4", "1990s").
func (s *scanner) number() token {
	start := s.at
	s.at = s.runEnd(start, isDigit)
	for s.at+1 < len(s.text) && (s.text[s.at] == '.' || s.text[s.at] == ',') {
		if r, _ := s.rune(s.at + 1); !isDigit(r) {
			break
		}
		s.at = s.runEnd(s.at+1, isDigit)
	}
	if r, _ := s.rune(s.at); s.at < len(s.text) && isLetter(r) && !unspaced(r) {
		end := s.wordEnd(s.at)
		if t := (token{start, s.at, number}); year(s.text[start:s.at]) && end-s.at <= 3 {
			if s.text[s.at:end] == "s" {
				s.at = end
			}
			return t
		}
		s.at = end
		return token{start, s.at, word}
	}
	return token{start, s.at, number}
}

// word reads letters, marks and digits. Single letters with points between them are one word
// ("U.S."). A year at the end is a number of its own: "FY2023" gives 2023, "Q42023" gives Q4
// and 2023.
func (s *scanner) word() token {
	start := s.at
	s.at = s.wordEnd(start)
	if s.at-start == 6 && year(s.text[start+2:s.at]) {
		if s.at = start + 2; isLetter(rune(s.text[start+1])) {
			return s.number()
		}
		return token{start, s.at, word}
	}
	for single(s.text, start, s.at) && s.at+1 < len(s.text) && s.text[s.at] == '.' {
		r, size := s.rune(s.at + 1)
		if !unicode.IsUpper(r) {
			break
		}
		if after, _ := s.rune(s.at + 1 + size); s.at+1+size < len(s.text) && inWord(after) {
			break
		}
		s.at += 1 + size
	}
	t := token{start, s.at, word}
	s.at += clitic(s.text[s.at:])
	return t
}

// year tells whether s is a year of the last or of this century.
func year(s string) bool {
	return len(s) == 4 && (s[:2] == "19" || s[:2] == "20") && isDigit(rune(s[2])) && isDigit(rune(s[3]))
}

// clitic returns the length of an English ending after an apostrophe ("'s", "'ll"). Such an
// ending is not a word of its own.
func clitic(rest string) int {
	var n int
	switch {
	case strings.HasPrefix(rest, "'"):
		n = 1
	case strings.HasPrefix(rest, "’"):
		n = len("’")
	default:
		return 0
	}
	end := n
	for end < len(rest) && isLetter(rune(rest[end])) {
		end++
	}
	switch strings.ToLower(rest[n:end]) {
	case "s", "t", "d", "m", "ll", "re", "ve":
		return end
	}
	return 0
}

// single tells whether text from start to end is one letter or letters with points.
func single(text string, start, end int) bool {
	_, size := utf8.DecodeRuneInString(text[start:])
	return start+size == end || text[start+size] == '.'
}

func (s *scanner) rune(at int) (rune, int) {
	if at < len(s.text) && s.text[at] < utf8.RuneSelf {
		return rune(s.text[at]), 1
	}
	return utf8.DecodeRuneInString(s.text[at:])
}

func (s *scanner) runEnd(at int, in func(rune) bool) int {
	for at < len(s.text) {
		r, size := s.rune(at)
		if !in(r) {
			break
		}
		at += size
	}
	return at
}

// wordEnd is runEnd of inWord. It is fast for ASCII, which most text is.
func (s *scanner) wordEnd(at int) int {
	for at < len(s.text) && alphanumeric(s.text[at]) {
		at++
	}
	if at < len(s.text) && s.text[at] >= utf8.RuneSelf {
		return s.runEnd(at, inWord)
	}
	return at
}

// alphanumeric tells whether c is an ASCII letter or digit.
func alphanumeric(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

func isDigit(r rune) bool {
	if r < utf8.RuneSelf {
		return '0' <= r && r <= '9'
	}
	return unicode.IsDigit(r)
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return r != utf8.RuneError && unicode.IsLetter(r)
}

// inWord tells whether r continues a word: a letter, a digit, a mark or a soft hyphen.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return isLetter(r) || isDigit(r)
	}
	if unspaced(r) {
		return false
	}
	return isLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\u00ad' || r == '\u200d' || r == '\u200c'
}

// unspaced tells whether r belongs to a script that is written without spaces, or to Hangul,
// where particles are attached to words. In such text two forms of a word share pairs of
// characters, even if the words differ.
func unspaced(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r < 0x0F00: // Thai, Lao
		return unicode.In(r, unicode.Thai, unicode.Lao) && !unicode.IsPunct(r) && !unicode.IsDigit(r)
	case r < 0x1000:
		return false
	case r < 0x10A0: // Myanmar
		return !unicode.IsPunct(r) && !unicode.IsDigit(r)
	case r < 0x1780:
		return false
	case r < 0x1800: // Khmer
		return !unicode.IsPunct(r) && !unicode.IsDigit(r) && !unicode.IsSymbol(r)
	case r < 0x3005:
		return false
	case 0xAC00 <= r && r < 0xD7A4:
		return true
	default:
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー' || r == '々'
	}
}
