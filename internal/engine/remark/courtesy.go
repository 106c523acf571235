package remark

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Kind says what a message without a question is.
type Kind uint8

// The kinds of messages without a question.
const (
	Greeting Kind = iota + 1
	Thanks
	Farewell
)

// Courtesy is a message that greets, thanks or says goodbye, and asks nothing.
type Courtesy struct {
	Kind Kind
	Code string // ISO 639-1 code of its language
}

// known are the phrases, made when the first message comes.
var known = sync.OnceValue(phrases) //nolint:gochecknoglobals // made once and never changed

// maxCourtesy bounds a message that may be a courtesy, in bytes.
const maxCourtesy = 120

// Recognize reports whether the whole message is a courtesy. Of several, as in "thanks, bye",
// the last one counts.
func Recognize(message string) (c Courtesy, ok bool) {
	if len(message) > maxCourtesy || strings.ContainsAny(message, "?？؟") {
		return c, false
	}
	known := known()
	for part := range strings.FieldsFuncSeq(strings.ToLower(message), separates) {
		words := strings.Fields(strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsMark(r) || r == '\'' || unicode.IsDigit(r) {
				return r
			}
			if r == '’' {
				return '\''
			}
			return ' '
		}, part))
		for len(words) > 0 {
			n := len(words)
			for ; n > 0; n-- {
				if found, there := known[strings.Join(words[:n], " ")]; there {
					if found.Kind != 0 {
						c = found
					}
					break
				}
			}
			if n == 0 {
				return Courtesy{}, false
			}
			words = words[n:]
		}
	}
	return c, c.Kind != 0
}

// separates tells whether r ends a part of a message.
func separates(r rune) bool { return strings.ContainsRune(",.!;:\n，。！、؛،…¡", r) }

// Reply returns what the service says to a courtesy, in its language; with a language, in that
// one, if it is known. language is a BCP 47 tag or empty.
func (c Courtesy) Reply(language string) string {
	code, _, _ := strings.Cut(strings.ToLower(language), "-")
	s, ok := in(code)
	if !ok {
		s, _ = in(c.Code)
	}
	switch c.Kind {
	case Thanks:
		return s.welcome
	case Farewell:
		return s.bye
	case Greeting:
	}
	return s.hello
}

// phrases returns the known phrases, in lower case. A phrase of no kind may accompany others:
// it is no courtesy by itself.
func phrases() map[string]Courtesy {
	out := map[string]Courtesy{}
	add := func(code string, kind Kind, list string) {
		for phrase := range strings.SplitSeq(list, "|") {
			if _, there := out[phrase]; !there && utf8.ValidString(phrase) {
				out[phrase] = Courtesy{kind, code}
			}
		}
	}
	for _, l := range courtesies() {
		add(l.code, Greeting, l.greetings)
		add(l.code, Thanks, l.thanks)
		add(l.code, Farewell, l.farewells)
	}
	add("", 0, "there|everyone|all|team|again|ok|okay|so much|a lot|very much|for your help|for the help|for that|great|perfect|good|nice|cool|and|und|et|y|e|danke schön|zusammen|now|then|super|prima")
	return out
}
