package score

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Words returns the words of text in lower case. Each character of a script without spaces is a word.
func Words(text string) []string {
	var words []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	for _, r := range norm.NFKC.String(text) {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			flush()
			words = append(words, string(r))
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			word.WriteRune(unicode.ToLower(r))
		default:
			flush()
		}
	}
	flush()
	return words
}

// Holds reports whether text holds the words of phrase one after the other.
func Holds(text, phrase string) bool {
	want := Words(phrase)
	if len(want) == 0 {
		return strings.TrimSpace(phrase) != "" && strings.Contains(text, strings.TrimSpace(phrase))
	}
	have := Words(text)
	for i := 0; i+len(want) <= len(have); i++ {
		if slices.Equal(have[i:i+len(want)], want) {
			return true
		}
	}
	return false
}

// Coverage returns the share of the words of gold that text holds. A word that is repeated counts each time.
func Coverage(text, gold string) float64 {
	want := Words(gold)
	if len(want) == 0 {
		return 0
	}
	have := map[string]int{}
	for _, w := range Words(text) {
		have[w]++
	}
	found := 0
	for _, w := range want {
		if have[w] > 0 {
			have[w]--
			found++
		}
	}
	return float64(found) / float64(len(want))
}
