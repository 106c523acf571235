package lexical

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Earlier is the weight of a word that only an earlier question of the conversation holds.
const Earlier = 0.4

// Word is a word of a question that passages are searched for.
type Word struct {
	Surface string  // as it was typed
	Weight  float64 // idf, times Earlier or Aside if only an earlier question or an aside holds the word
	IDF     float64
	Current bool // the current question holds the word
	Name    bool // written like a name: with a capital letter inside a sentence
	Number  bool
}

// Question is a question as weighted terms, to search with and to find in passages. It is safe
// for concurrent use.
type Question struct {
	Words  []Word  // in the order of the question, those of earlier questions last
	Rarest float64 // idf of a word that one passage holds, above 0

	words  map[int32]int // term index to the place in Words
	langs  []Lang
	starts starts // first two letters that a matching word may have
	terms  starts // last bits that a matching term may have
	asked  string // the text of the current question
	common Lang   // a language whose stop words are left out, beside those of langs; Unknown: none
	any    bool   // a stemmer that changes the beginning of words is in use
}

// Question reads a question and the user's earlier questions, the oldest first.
func (s *Stats) Question(text string, earlier ...string) *Question {
	q := &Question{Rarest: s.rarest(), asked: text, words: map[int32]int{}, langs: s.languages()}
	if len(q.langs) == 0 {
		q.langs = []Lang{Detect(text)}
	}
	q.any = slices.Contains(q.langs, Arabic)
	if l, foreign := q.Foreign(text); foreign {
		q.common = l // "die" of a German question is not the English verb
	}
	asked, aside := Focus(text)
	q.read(s, asked, 1, true)
	q.read(s, aside, Aside, true)
	for _, turn := range slices.Backward(earlier) {
		q.read(s, turn, Earlier, false)
	}
	return q
}

// read adds the words of a text. The weight of a word is weight times its idf.
func (q *Question) read(st *Stats, text string, weight float64, current bool) {
	shouting := !hasLower(text)
	s := scanner{text: text}
	var before asked // the last word that is no mark of a version
	for first := true; ; first = false {
		t, ok := s.next()
		if !ok {
			return
		}
		surface := text[t.start:t.end]
		if shouting {
			surface = plain(Unknown, surface)
		}
		a := asked{surface, t.class, !first && !shouting}
		q.add(st, a, weight, current)
		q.addVersions(st, a, before, weight, current)
		if !strings.EqualFold(surface, "version") && !strings.EqualFold(surface, "v") {
			before = a
		}
	}
}

// asked is a token of a question's text.
type asked struct {
	surface string
	class   class
	inside  bool // at a place where only a name begins with a capital letter
}

// add adds a token with its terms in the languages of the project.
func (q *Question) add(st *Stats, t asked, weight float64, current bool) {
	place := -1
	if t.class == word && stop(q.common, plain(q.common, t.surface)) && !acronym(t.surface) {
		return
	}
	for _, l := range q.langs {
		i := index(l, t.surface, t.class)
		if i < 0 {
			continue
		}
		if known, ok := q.words[i]; ok {
			place = known
			continue
		}
		idf := st.idf(i)
		if place < 0 {
			place = len(q.Words)
			r, _ := utf8.DecodeRuneInString(t.surface)
			q.Words = append(q.Words, Word{
				Surface: t.surface, IDF: idf, Weight: idf * weight, Current: current,
				Name: t.inside && t.class == word && unicode.IsUpper(r), Number: t.class == number,
			})
		}
		q.words[i] = place
		q.starts.add(start(t.surface))
		q.terms.add(uint16(i))
	}
}

// Vector returns the question's side of the inner product, ordered by index. It is
// empty if the question consists of stop words.
func (q *Question) Vector() []Term {
	terms := make([]Term, 0, len(q.words))
	for i, place := range q.words {
		terms = append(terms, Term{Index: i, Weight: float32(q.Words[place].Weight)})
	}
	slices.SortFunc(terms, func(a, b Term) int { return int(a.Index) - int(b.Index) })
	return terms
}

func hasLower(s string) bool {
	for _, r := range s {
		if unicode.IsLower(r) {
			return true
		}
	}
	return false
}
