package grounded

import (
	"regexp"
	"strings"
	"unicode"

	"docqa/internal/provider/llm"
)

// runWords is how many equal words in a row count as a quotation of the instructions.
const runWords = 6

// secrets are the runs of words of a model's instructions.
type secrets struct {
	text   string
	runs   map[string]bool
	begins map[string]bool // the first words of every run
}

func secretsOf(instructions string) *secrets {
	s := &secrets{text: instructions, runs: map[string]bool{}, begins: map[string]bool{}}
	runs(instructions, func(words []string) {
		s.runs[strings.Join(words, " ")] = true
		for n := 1; n < runWords; n++ {
			s.begins[strings.Join(words[:n], " ")] = true
		}
	})
	return s
}

// runs calls yield with every run of words in text.
func runs(text string, yield func(words []string)) {
	var words []string
	for field := range strings.FieldsSeq(text) {
		if w := plainWord(field); w != "" {
			words = append(words, w)
		}
		if len(words) >= runWords {
			yield(words[len(words)-runWords:])
		}
	}
}

// plainWord returns a word in lower case without marks, "" if it has no letter or digit.
func plainWord(field string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, field)
}

// secretsOf returns the secrets of the instructions. They are mostly equal to those of the last
// prompt, which are cached.
func (m *model) secretsOf(instructions string) *secrets {
	if s := m.last.Load(); s != nil && s.text == instructions {
		return s
	}
	s := secretsOf(instructions)
	m.last.Store(s)
	return s
}

// leak removes text of the instructions that a model repeats, as a document may ask it to. It
// compares words only, so that marks and line ends make no difference. Text that the passages
// also hold is no secret.
type leak struct {
	*secrets

	passages []llm.Passage
	open     map[string]bool // the runs of the passages, once they were needed
	tail     []token         // what is not yet handed on
}

// token is a word with the white space before it.
type token struct {
	text, word string
	secret     bool
}

var tokenPattern = regexp.MustCompile(`\s*\S+|\s+$`)

// push adds text and returns the text that may be handed on: nothing of a run that the
// instructions hold, and not yet the text that may be the beginning of one.
func (l *leak) push(text string) string {
	for _, part := range tokenPattern.FindAllString(text, -1) {
		l.tail = append(l.tail, token{text: part, word: plainWord(part)})
		if words, from := l.end(runWords); len(words) == runWords && l.secret(strings.Join(words, " ")) {
			for i := from; i < len(l.tail); i++ {
				l.tail[i].secret = true
			}
		}
	}
	for n := runWords - 1; n > 0; n-- {
		if words, from := l.end(n); len(words) == n && l.begins[strings.Join(words, " ")] {
			return l.hand(from)
		}
	}
	return l.hand(len(l.tail))
}

// end returns the last n words and the index of the first of them.
func (l *leak) end(n int) (words []string, from int) {
	words = make([]string, n)
	from = len(l.tail)
	for at := n; at > 0; {
		if from == 0 {
			return nil, 0
		}
		from--
		if w := l.tail[from].word; w != "" {
			at--
			words[at] = w
		}
	}
	return words, from
}

// secret tells whether the instructions hold a run that no passage holds.
func (l *leak) secret(run string) bool {
	if !l.runs[run] {
		return false
	}
	if l.open == nil {
		l.open = map[string]bool{}
		for i := range l.passages {
			runs(l.passages[i].Text, func(words []string) { l.open[strings.Join(words, " ")] = true })
		}
	}
	return !l.open[run]
}

// hand returns and removes the first n tokens.
func (l *leak) hand(n int) string {
	var b strings.Builder
	for _, t := range l.tail[:n] {
		if !t.secret {
			b.WriteString(t.text)
		}
	}
	l.tail = append(l.tail[:0], l.tail[n:]...)
	return b.String()
}

// rest returns what is left at the end.
func (l *leak) rest() string { return l.hand(len(l.tail)) }
