package pdf

import (
	"strings"
	"unicode"
)

// clean folds ligatures and drops what is no text: soft hyphens, U+FFFE and control
// characters.
func clean(raw []byte) string {
	if printable(raw) {
		return string(raw)
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(string(raw), "\ufffd") {
		switch {
		case r == '\u00ad' || r == '\ufffe' || r == '\uffff' || r == '\ufeff' || r == '\u200b' || r == '\u2060':
		case r >= '\ufb00' && r <= '\ufb06':
			b.WriteString(ligature(r))
		case unicode.IsControl(r):
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return strings.TrimSpace(b.String())
}

// printable tells whether raw is ASCII without control characters: nearly every word.
func printable(raw []byte) bool {
	for _, c := range raw {
		if c <= ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

func ligature(r rune) string {
	return [...]string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}[r-'\ufb00']
}

// vocabulary knows the words that stand inside the lines of a document; it decides
// what a hyphen at the end of a line means.
type vocabulary map[string]bool

func newVocabulary(pages []page) vocabulary {
	v := vocabulary{}
	broken := false // the line before ended with a hyphen
	for i := range pages {
		for j := range pages[i].lines {
			words := pages[i].lines[j].words
			if broken && len(words) > 0 {
				words = words[1:]
			}
			if broken = len(words) > 0 && strings.HasSuffix(words[len(words)-1].text, "-"); broken {
				words = words[:len(words)-1]
			}
			for _, w := range words {
				v[key(w.text)] = true
			}
		}
	}
	return v
}

func key(w string) string {
	return strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
}

// join puts together a line's last word, which ends with a hyphen, and the next
// line's first word. The hyphen stays where it belongs to a compound.
func (v vocabulary) join(last, first string) string {
	stem := strings.TrimSuffix(last, "-")
	letters := strings.TrimLeftFunc(first, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch {
	case stem == "" || letters == "" || !unicode.IsLower([]rune(letters)[0]):
		return last + first
	case v[key(last+first)], strings.Contains(stem, "-"):
		return last + first
	case v[key(stem+first)]:
		return stem + first
	case v[key(stem)] && v[key(first)]:
		return last + first
	}
	return stem + first
}

// hyphenated tells whether text ends with the hyphen of a broken word.
func hyphenated(text string) bool {
	stem, ok := strings.CutSuffix(text, "-")
	if !ok || stem == "" {
		return false
	}
	r := []rune(stem)
	return unicode.IsLetter(r[len(r)-1])
}
