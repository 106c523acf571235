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

// Match holds the occurrences of a question's words in a text.
type Match struct {
	Hits   []Hit
	Tokens int // tokens in the text, stop words included

	Words, Figures int // as Figures counts them; set only by Read
}

// Find returns the occurrences of the question's words in text, in order.
func (q *Question) Find(text string) Match { return q.Finder().Find(text) }

// Finder finds a question's words in many texts and remembers the words it has seen.
// It is not for concurrent use.
type Finder struct {
	q    *Question
	seen map[string]int // index in Words, -1 = no word of the question
}

// Finder returns a finder of the question's words.
func (q *Question) Finder() *Finder { return &Finder{q: q, seen: map[string]int{}} }

// Find returns the occurrences of the question's words in text, in order.
func (f *Finder) Find(text string) Match {
	var m Match
	s := scanner{text: text}
	for {
		t, ok := s.next()
		if !ok {
			return m
		}
		if surface := text[t.start:t.end]; f.q.any || f.q.starts.has(start(surface)) {
			m.add(t, f.place(surface, t.class))
		}
		m.Tokens++
	}
}

// Read returns the same as Find, and the text's Figures. packed is the result of Places for the
// text, or empty.
func (f *Finder) Read(text string, packed []byte) Match {
	if p, ok := openPlaces(packed, len(text)); ok {
		if m, ok := f.stored(text, &p); ok {
			return m
		}
	}
	m := f.Find(text)
	m.Words, m.Figures = Figures(text)
	return m
}

// stored returns the same as Find, from stored places. They hold the terms of the text's own
// language; if the question also has terms of other languages, the words are stemmed as in
// Find. ok is false if the places do not belong to the text.
func (f *Finder) stored(text string, p *places) (m Match, ok bool) {
	m.Words, m.Figures = p.words, p.figures
	alone := len(f.q.langs) == 1 && f.q.langs[0] == p.lang
	for ; m.Tokens < p.tokens; m.Tokens++ {
		t, term := p.next()
		if p.broken {
			return Match{}, false
		}
		if alone && (term < 0 || !f.q.terms.has(uint16(term))) {
			continue
		}
		surface := text[t.start:t.end]
		switch {
		case !f.q.any && !f.q.starts.has(start(surface)):
		case !alone:
			m.add(t, f.place(surface, t.class))
		default:
			if place, known := f.q.words[term]; known {
				m.add(t, place)
			}
		}
	}
	return m, true
}

// add appends a hit if the token is a word of the question.
func (m *Match) add(t token, place int) {
	if place >= 0 {
		m.Hits = append(m.Hits, Hit{Word: place, Start: t.start, End: t.end, Position: m.Tokens})
	}
}

// place returns the index in Words of the word that a token matches, -1 if none.
func (f *Finder) place(surface string, c class) int {
	place, known := f.seen[surface]
	if !known {
		place = f.q.place(surface, c)
		f.seen[surface] = place
	}
	return place
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

// starts is a set of results of start, or of the last bits of terms.
type starts [1 << 16 / 64]uint64

func (s *starts) add(v uint16)      { s[v>>6] |= 1 << (v & 63) }
func (s *starts) has(v uint16) bool { return s[v>>6]&(1<<(v&63)) != 0 }

// start returns the first two letters of a word, without case. Only the Arabic stemmer changes
// them, so most words of a passage can be excluded by them and need not be stemmed.
func start(surface string) uint16 {
	if len(surface) >= 2 && plainLetter(surface[0]) && plainLetter(surface[1]) {
		return uint16(surface[0]|0x20)<<8 | uint16(surface[1]|0x20)
	}
	var out uint16
	n := 0
	for _, r := range surface {
		if r == '.' || r == ',' || isAccent(r) {
			continue
		}
		if r >= utf8.RuneSelf {
			r = base(r)
		}
		out = out<<8 | uint16(unicode.ToLower(r)&0xff)
		if n++; n == 2 {
			break
		}
	}
	return out
}

func plainLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isAccent tells whether r is a combining accent, which follows its letter.
func isAccent(r rune) bool { return 0x0300 <= r && r < 0x0370 }

// base returns a letter without its accent, as fold does.
func base(r rune) rune {
	folded, _ := utf8.DecodeRuneInString(fold(string(unicode.ToLower(r))))
	if unicode.IsDigit(folded) {
		folded, _ = utf8.DecodeRuneInString(digits(string(folded)))
	}
	return folded
}

// Pairs returns the weight of pairs of words that are neighbours in the question and at most
// three tokens apart in a text. hits are the hits of the text. The weight of a pair is the sum
// of both words' weights.
func (q *Question) Pairs(hits []Hit) float64 {
	found := make([]bool, len(q.Words))
	for i, h := range hits {
		for _, next := range hits[i+1:] {
			if next.Position-h.Position > 3 {
				break
			}
			if a, b := min(h.Word, next.Word), max(h.Word, next.Word); b == a+1 {
				found[a] = true
			}
		}
	}
	sum := 0.0
	for i, ok := range found {
		if ok {
			sum += q.Words[i].Weight + q.Words[i+1].Weight
		}
	}
	return sum
}
