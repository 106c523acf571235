package lexical

import (
	"unicode"
	"unicode/utf8"
)

// Hit is one occurrence of a question's word in a text.
type Hit struct {
	Word     int // place in Question.Words
	Start    int // bytes
	End      int
	Position int // number of tokens before it
}

// Match is what a question's words were found to do in a text.
type Match struct {
	Hits   []Hit
	Tokens int // tokens in the text, stop words included
}

// Find returns the occurrences of the question's words in text, in order.
func (q *Question) Find(text string) Match {
	var m Match
	s := scanner{text: text}
	for {
		t, ok := s.next()
		if !ok {
			return m
		}
		surface := text[t.start:t.end]
		if q.any || q.starts[start(surface)] {
			if place := q.place(surface, t.class); place >= 0 {
				m.Hits = append(m.Hits, Hit{Word: place, Start: t.start, End: t.end, Position: m.Tokens})
			}
		}
		m.Tokens++
	}
}

func (q *Question) place(surface string, c class) int {
	for _, l := range q.langs {
		if i := index(l, surface, c); i >= 0 {
			if place, ok := q.words[i]; ok {
				return place
			}
		}
	}
	return -1
}

// start is the part of a word that no stemmer but the Arabic one changes: its first
// letters, without case. It keeps most words of a passage from being stemmed.
func start(surface string) [2]byte {
	var out [2]byte
	n := 0
	for _, r := range surface {
		if r == '.' || r == ',' {
			continue
		}
		if r >= utf8.RuneSelf {
			r = base(r)
		}
		out[n] = byte(unicode.ToLower(r)) //nolint:gosec // a hash: equal letters give equal bytes
		if n++; n == len(out) {
			break
		}
	}
	return out
}

// base is the letter without its accent, as fold leaves it.
func base(r rune) rune {
	folded, _ := utf8.DecodeRuneInString(fold(string(unicode.ToLower(r))))
	if unicode.IsDigit(folded) {
		folded, _ = utf8.DecodeRuneInString(digits(string(folded)))
	}
	return folded
}
