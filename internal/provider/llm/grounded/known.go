package grounded

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/provider/llm"
)

// known is the text that a reply may repeat: the passages in the prompt, the question and the
// organisation's own instructions.
type known struct {
	passages []llm.Passage
	others   []string
}

// each calls yield with every text until it returns true, and reports whether it did.
func (k *known) each(yield func(text string) bool) bool {
	for i := range k.passages {
		if p := &k.passages[i]; yield(p.Text) || p.Context != "" && yield(p.Context) {
			return true
		}
	}
	return slices.ContainsFunc(k.others, yield)
}

// has tells whether a text is held word for word.
func (k *known) has(text string) bool {
	return k.each(func(t string) bool { return strings.Contains(t, text) })
}

// hasWord tells whether a word is held as a word of its own, without regard to case and without
// an index behind it.
func (k *known) hasWord(word string) bool {
	return k.each(func(t string) bool {
		for at := 0; ; {
			i := foldedIndex(t[at:], word)
			if i < 0 {
				return false
			}
			at += i
			before, _ := utf8.DecodeLastRuneInString(t[:at])
			after, _ := utf8.DecodeRuneInString(t[at+len(word):])
			if !alphanumeric(before) && !alphanumeric(after) && after != '[' {
				return true
			}
			at++
		}
	})
}

// foldedIndex returns where text holds word, without regard to the case of ASCII letters.
func foldedIndex(text, word string) int {
	for i := 0; i+len(word) <= len(text); i++ {
		if strings.EqualFold(text[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}

func alphanumeric(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// ownReference tells whether a marker is one of a document, such as the number of a footnote:
// some passage has it behind the same text, and the passage that it would name does not have
// that text.
func (k *known) ownReference(before, marker string, passage int) bool {
	if before = tail(before, 16); before == "" || !k.has(before+marker) {
		return false
	}
	return passage < 1 || passage > len(k.passages) || !strings.Contains(k.passages[passage-1].Text, before)
}

// tail returns the last n bytes of text, from the beginning of a character on.
func tail(text string, n int) string {
	if len(text) <= n {
		return text
	}
	text = text[len(text)-n:]
	for text != "" && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

// wholeRunes returns how many bytes of text are whole characters: the last one may be cut.
func wholeRunes(text string) int {
	for n := 1; n <= min(len(text), utf8.UTFMax); n++ {
		if c := text[len(text)-n]; utf8.RuneStart(c) {
			if !utf8.FullRuneInString(text[len(text)-n:]) {
				return len(text) - n
			}
			break
		}
	}
	return len(text)
}
