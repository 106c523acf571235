package manuals

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/eval/manuals/source"
)

// Holds reports whether text holds phrase, whatever the case, the white space and the form of quotes and dashes. A phrase that begins or
// ends with a letter or a digit must begin or end there as a word: "10" is not in "100", and not in "3.10".
func Holds(text, phrase string) bool {
	t, p := fold(text), fold(phrase)
	if p == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(t[at:], p)
		if i < 0 {
			return false
		}
		start := at + i
		if startsWord(t, p, start) && endsWord(t, p, start+len(p)) {
			return true
		}
		at = start + 1
	}
}

func fold(text string) string { return strings.ToLower(source.Normal(text)) }

func startsWord(text, phrase string, at int) bool {
	first, _ := utf8.DecodeRuneInString(phrase)
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	if !isWord(first) || at == 0 {
		return true
	}
	return !isWord(before) && !inNumber(text[:at], first)
}

// inNumber reports whether the digit after before continues a number, as in "3.10", "1,000" and "-10".
func inNumber(before string, digit rune) bool {
	if !unicode.IsDigit(digit) || before == "" {
		return false
	}
	if last := before[len(before)-1]; last == '.' || last == ',' {
		return len(before) > 1 && isDigit(before[len(before)-2])
	}
	return before[len(before)-1] == '-' && (len(before) == 1 || before[len(before)-2] == ' ')
}

func endsWord(text, phrase string, at int) bool {
	last, _ := utf8.DecodeLastRuneInString(phrase)
	if !isWord(last) || at == len(text) {
		return true
	}
	after, _ := utf8.DecodeRuneInString(text[at:])
	if isWord(after) {
		return false
	}
	goesOn := unicode.IsDigit(last) && (after == '.' || after == ',') && len(text) > at+1 && isDigit(text[at+1])
	return !goesOn
}

func isWord(r rune) bool  { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// words returns the words of text in lower case.
func words(text string) []string {
	return strings.FieldsFunc(fold(text), func(r rune) bool { return !isWord(r) })
}
