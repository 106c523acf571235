package grounded

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	markerBytes = 64 // longest marker
	maxNumber   = 3  // digits of a passage's number
)

// mark is a text that may be a marker.
type mark struct {
	text    string // as it stands
	numbers []int  // as they stand
	named   bool   // it says what it numbers: "Passage 1", or it has a dagger
	spread  bool   // it holds a range
	after   string // the text behind it
}

// found says what stands at a place.
type found uint8

const (
	nothing found = iota
	something
	tooShort // more text is needed to say it
)

// closers are the brackets of markers with what closes them.
func closer(open string) string {
	switch {
	case strings.HasPrefix(open, "["):
		return "]"
	case strings.HasPrefix(open, "("):
		return ")"
	case strings.HasPrefix(open, "【"):
		return "】"
	case strings.HasPrefix(open, "［"):
		return "］"
	case strings.HasPrefix(open, "（"):
		return "）"
	}
	return ""
}

// bracketed reads a marker in brackets at the beginning of text.
func bracketed(text string, last bool) (mark, found) {
	if m, ok := plainMark(text); ok {
		return m, something
	}
	_, size := utf8.DecodeRuneInString(text)
	end := closer(text)
	window := text[:min(len(text), markerBytes)]
	at := strings.Index(window[size:], end)
	if line := strings.IndexByte(window, '\n'); at < 0 || line >= 0 && line < size+at {
		if at < 0 && line < 0 && !last && len(text) < markerBytes {
			return mark{}, tooShort
		}
		return mark{}, nothing
	}
	inner := window[size : size+at]
	if !strings.ContainsAny(inner, "0123456789") {
		return mark{}, nothing
	}
	m := patterns().numbers.FindStringSubmatch(inner)
	if m == nil {
		return mark{}, nothing
	}
	n := size + at + len(end)
	out := mark{text: text[:n], after: text[n:], named: m[1] != "" || m[4] != ""}
	out.numbers, out.spread = numbersOf(m[2])
	return out, something
}

// plainMark reads [1], which is by far the most frequent form.
func plainMark(text string) (mark, bool) {
	end := strings.IndexByte(text[:min(len(text), maxNumber+2)], ']')
	if text[0] != '[' || end < 2 {
		return mark{}, false
	}
	n := 0
	for _, c := range []byte(text[1:end]) {
		if c < '0' || c > '9' {
			return mark{}, false
		}
		n = 10*n + int(c-'0')
	}
	return mark{text: text[:end+1], after: text[end+1:], numbers: []int{n}}, true
}

// numbersOf returns the numbers of a list, ranges written out. spread is true if it has a range.
func numbersOf(list string) (out []int, spread bool) {
	end := 0
	for _, at := range patterns().digits.FindAllStringIndex(list, -1) {
		n, err := strconv.Atoi(list[at[0]:at[1]])
		if err != nil || at[1]-at[0] > maxNumber {
			return nil, false
		}
		between := strings.Trim(strings.ToLower(list[end:at[0]]), " ^#")
		if isRange := slices.Contains([]string{"-", "–", "—", "to", "bis", "à", "a"}, between); isRange && len(out) > 0 {
			spread = true
			for from := out[len(out)-1] + 1; from < n && from-n < 100; from++ {
				out = append(out, from)
			}
		}
		out = append(out, n)
		end = at[1]
	}
	return out, spread
}

// superscript reads the small digits at the beginning of text.
func superscript(text string) mark {
	var digits strings.Builder
	end := 0
	for at, r := range text {
		d := superDigit(r)
		if goesOn := strings.ContainsRune(",˒⸴⁻", r) && at > 0 && superDigitAt(text[at+utf8.RuneLen(r):]); d < 0 && !goesOn {
			break
		}
		switch {
		case d >= 0:
			digits.WriteByte(byte('0' + d))
		case r == '⁻':
			digits.WriteByte('-')
		default:
			digits.WriteByte(',')
		}
		end = at + utf8.RuneLen(r)
	}
	m := mark{text: text[:end], after: text[end:]}
	m.numbers, m.spread = numbersOf(digits.String())
	return m
}

func superDigitAt(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return superDigit(r) >= 0
}

// superDigit returns the value of a small raised digit, -1 for another character.
func superDigit(r rune) int {
	switch r {
	case '¹':
		return 1
	case '²':
		return 2
	case '³':
		return 3
	}
	if r == '⁰' || '⁴' <= r && r <= '⁹' {
		return int(r - '⁰')
	}
	return -1
}

// naming returns the numbers that name passages, each once.
func (m *mark) naming(passages int) []int {
	var out []int
	for _, n := range m.numbers {
		if n >= 1 && n <= passages && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// index tells whether a bracket that stands directly behind text is an index or belongs to a
// name, as in "pay[3]", and not a marker behind a word, as in "years[1]".
func (k *known) index(before string, m *mark) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case before == "" || r == utf8.RuneError:
		return false
	case strings.ContainsRune("]}_$`", r):
		return true
	case r == ')':
		return strings.ContainsRune(before, '(') && before[0] != '('
	case !alphanumeric(r) || unspaced(r):
		return false
	}
	word := before[strings.LastIndexFunc(before, func(r rune) bool { return !alphanumeric(r) && !strings.ContainsRune("$.:>-/\\", r) })+1:]
	plain := word[strings.LastIndexFunc(word, func(r rune) bool { return !alphanumeric(r) })+1:]
	switch {
	case strings.Trim(plain, "0123456789") == "":
		return false
	case k.has(plain + "["):
		return true
	case k.hasWord(word):
		return false
	case identifier(word) || utf8.RuneCountInString(plain) <= 3 || arrayName(plain):
		return true
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(m.after, " "))
	return m.after != "" && !strings.ContainsRune(".,;:!?)\n[", next)
}

// identifier tells whether a word has the form of a name in code.
func identifier(word string) bool {
	var before rune
	for i, r := range word {
		switch {
		case strings.ContainsRune("_$\\>", r), r == ':' && i < len(word)-1:
			return true
		case r == '.' && i > 0 && i < len(word)-1:
			return true
		case unicode.IsUpper(r) && unicode.IsLower(before):
			return true
		case unicode.IsDigit(r) && unicode.IsLetter(before):
			return true
		}
		before = r
	}
	return false
}

// arrayName tells whether a word is a common name of something that has an index.
func arrayName(word string) bool {
	switch strings.ToLower(word) {
	case "array", "list", "args", "argv", "item", "items", "data", "rows", "matrix", "vector", "buffer", "values", "tuple", "dict", "bytes", "char",
		"chars", "string", "strings", "elements", "results", "params", "fields", "cols", "columns", "lines", "tokens", "words", "nums", "input", "output",
		"stack", "queue", "heap", "table", "self", "this", "config", "options", "response", "request", "json", "object":
		return true
	}
	return false
}

// exponent tells whether a small raised number behind text is an exponent or part of a name, as
// in "10²" and "m²".
func exponent(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case r == ')':
		return strings.ContainsRune(before, '(')
	case unicode.IsDigit(r) || strings.ContainsRune("]}_⁻⁺", r):
		return true
	case !unicode.IsLetter(r) || unspaced(r):
		return false
	}
	word := before[strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) })+1:]
	if utf8.RuneCountInString(word) <= 2 || strings.ToUpper(word) == word {
		return true
	}
	switch strings.ToLower(word) {
	case "cos", "sin", "tan", "log", "exp", "chi", "rad", "sec", "min", "mol", "bar", "inch", "foot", "feet", "mile", "yard", "meter", "metre", "chi-square":
		return true
	}
	return false
}

// unspaced tells whether a script is written without spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// numeral tells whether a word is the number n: what stands in parentheses behind it repeats it,
// as in "one (1) year".
func numeral(word string, n int) bool {
	word = strings.ToLower(strings.Trim(word, "*_\"'“”‘’"))
	if word == strconv.Itoa(n) {
		return true
	}
	switch word {
	case "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "a", "an", "single", "ein", "eine", "einen", "einem", "einer", "eins",
		"zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "un", "une", "deux", "trois", "quatre", "cinq", "six.", "uno", "una", "dos",
		"tres", "cuatro", "cinco", "um", "uma", "dois", "três", "quatro", "due", "tre", "quattro", "cinque", "een", "twee", "drie", "en", "ett", "två", "to", "step",
		"schritt", "étape", "paso", "section", "clause", "paragraph", "article", "figure", "table", "note", "chapter", "item", "level", "version", "§", "option":
		return true
	}
	return false
}
