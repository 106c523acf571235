package grounded

import (
	"strings"
	"unicode"
)

// runWords is how many equal words in a row count as a quotation of the rules.
const runWords = 6

// secrets are the runs of words of the service's rules.
type secrets struct {
	text   string
	runs   map[string]bool
	begins map[string]bool // the first words of every run
}

func secretsOf(rules string) *secrets {
	s := &secrets{text: rules, runs: map[string]bool{}, begins: map[string]bool{}}
	runs(rules, func(words []string) {
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

// secretsOf returns the secrets of the rules. They are mostly equal to those of the last prompt,
// which are cached.
func (m *model) secretsOf(rules string) *secrets {
	if s := m.last.Load(); s != nil && s.text == rules {
		return s
	}
	s := secretsOf(rules)
	m.last.Store(s)
	return s
}

// leak removes the sentences in which a model repeats the service's rules, as a document may ask
// it to. It compares words only, so that marks and line ends make no difference. What the
// passages, the question or the organisation's own instructions hold is no secret.
type leak struct {
	*secrets

	known *known
	open  map[string]bool // the runs of what is known, once they were needed
	tail  []token         // what is not yet handed on
	last  item            // the last one that was pushed

	begun   bool   // a word of the present sentence was handed on
	cutting bool   // the rest of the sentence is dropped
	before  string // the last token that was handed on or dropped
	space   item   // white space before the next word
}

// token is a part of an item with one word at most.
type token struct {
	item

	word   string
	secret bool
}

// push adds an item and returns those that may be handed on: nothing of a sentence that holds a
// run of the rules, and not yet what may be the beginning of one.
func (l *leak) push(i item) []item {
	l.last = i
	if !i.code {
		return l.add(i, plainWord(i.text))
	}
	var out []item
	for _, part := range patterns().token.FindAllString(i.text, -1) {
		out = append(out, l.add(item{text: part, code: true, listing: i.listing}, plainWord(part))...)
	}
	return out
}

func (l *leak) add(i item, word string) []item {
	l.tail = append(l.tail, token{item: i, word: word})
	if word == "" {
		if len(l.tail) == 1 {
			return l.hand(1)
		}
		return nil
	}
	if words, from := l.end(runWords); len(words) == runWords && l.secret(strings.Join(words, " ")) {
		for i := from; i < len(l.tail); i++ {
			l.tail[i].secret = true
		}
	}
	for n := min(runWords-1, len(l.tail)); n > 0; n-- {
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

// secret tells whether the rules hold a run that nothing else holds.
func (l *leak) secret(run string) bool {
	if !l.runs[run] {
		return false
	}
	if l.open == nil {
		l.open = map[string]bool{}
		l.known.each(func(text string) bool {
			runs(text, func(words []string) { l.open[strings.Join(words, " ")] = true })
			return false
		})
	}
	return !l.open[run]
}

// hand returns and removes the first n tokens. Of a sentence with a secret nothing is returned;
// if its first words were handed on already, dots stand for the rest. White space is returned
// with the word behind it.
func (l *leak) hand(n int) []item {
	var out []item
	begun, from := l.begun, 0 // of the present sentence: words were handed on before; its first item in out
	for i := range l.tail[:n] {
		t := &l.tail[i]
		blank := strings.TrimSpace(t.text) == ""
		if t.secret && !l.cutting {
			l.cutting, l.space, out = true, item{}, out[:from]
			if begun {
				out = append(out, item{text: " …"})
			}
		}
		if ends := blank && (strings.Contains(t.text, "\n") || endsSentence(l.before)); ends && !t.secret {
			switch {
			case !l.cutting:
				l.space = item{text: l.space.text + t.text, code: t.code, listing: t.listing}
			case begun || l.space.text == "":
				l.space = t.item
			}
			l.cutting, l.begun, begun, from = false, false, false, len(out)
			l.before = ""
			continue
		}
		l.before = t.text
		switch {
		case l.cutting:
		case blank:
			l.space = item{text: l.space.text + t.text, code: t.code, listing: t.listing}
		default:
			if l.space.text != "" {
				out = append(out, l.space)
			}
			l.space = item{}
			out = append(out, t.item)
			l.begun = l.begun || t.word != ""
		}
	}
	l.tail = append(l.tail[:0], l.tail[n:]...)
	return out
}

// rest returns what is left at the end.
func (l *leak) rest() []item { return l.hand(len(l.tail)) }
