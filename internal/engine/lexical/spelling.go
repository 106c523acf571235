package lexical

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	minSuspect  = 3 // letters of the shortest word that may be misspelt, as a part of a name such as max_conn
	plainLength = 4 // the same for a word that stands by itself
	maxSuspects = 8 // words of one question that are corrected
)

// Suspect is a word of a question's text that may be misspelt.
type Suspect struct {
	Start, End int // bytes of the text
	Word       int // place in Question.Words
}

// Suspects returns the words of the question's text that the statistics do not count: they occur
// in one passage or in none. There are at most eight; none if the text is in a language that the
// project's passages do not have, because then most words are unknown.
func (q *Question) Suspects(text string) []Suspect {
	if _, foreign := q.Foreign(text); foreign {
		return nil
	}
	var out []Suspect
	s, f := scanner{text: text}, q.Finder()
	for len(out) < maxSuspects {
		t, ok := s.next()
		if !ok {
			break
		}
		surface := text[t.start:t.end]
		if t.class != word || !lettersOnly(surface) || utf8.RuneCountInString(surface) < shortest(text, t) {
			continue
		}
		if place := f.place(surface, t.class); place >= 0 && q.Words[place].Current && q.Words[place].IDF >= q.Rarest {
			out = append(out, Suspect{t.start, t.end, place})
		}
	}
	return out
}

// shortest returns how many letters a suspect at t has at least.
func shortest(text string, t token) int {
	if t.start > 0 && strings.ContainsRune("_-", rune(text[t.start-1])) || t.end < len(text) && strings.ContainsRune("_-", rune(text[t.end])) {
		return minSuspect
	}
	return plainLength
}

// Respell replaces suspects of text that no lexicon holds by the nearest words of the lexicons;
// the first lexicon that has one decides. It returns text itself if none has.
func Respell(text string, suspects []Suspect, lexicons ...*Lexicon) string {
	var b strings.Builder
	at := 0
	for _, s := range suspects {
		surface := text[s.Start:s.End]
		if near := nearestOf(surface, lexicons); near != "" {
			b.WriteString(text[at:s.Start])
			b.WriteString(inCase(near, surface))
			at = s.End
		}
	}
	if at == 0 {
		return text
	}
	b.WriteString(text[at:])
	return b.String()
}

func nearestOf(surface string, lexicons []*Lexicon) string {
	if slices.ContainsFunc(lexicons, func(x *Lexicon) bool { return x.holds(surface) }) {
		return ""
	}
	for _, x := range lexicons {
		if near := x.nearest(surface); near != "" {
			return near
		}
	}
	return ""
}

// inCase writes w, which is in lower case, as like is written: in capitals or with one.
func inCase(w, like string) string {
	first, _ := utf8.DecodeRuneInString(like)
	switch {
	case !hasLower(like):
		return strings.ToUpper(w)
	case unicode.IsUpper(first):
		r, size := utf8.DecodeRuneInString(w)
		return string(unicode.ToUpper(r)) + w[size:]
	}
	return w
}
