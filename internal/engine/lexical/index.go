package lexical

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The constants of BM25 in its usual form.
const (
	k1 = 1.2
	b  = 0.75
)

// marker is the weight of the term that marks a passage's language. It is too small to change
// a score.
const marker = 1e-6

// maxKnown bounds the words that an Indexer remembers, because all words of a text may be
// different.
const maxKnown = 200_000

// Indexer turns passages of one language into terms. It remembers the words that it has seen,
// so one Indexer should serve a whole document. It is not for concurrent use.
type Indexer struct {
	lang  Lang
	known map[string]int32 // surface form to index, -1 = a stop word
	count map[int32]int32
}

// NewIndexer returns an indexer for passages in language l.
func NewIndexer(l Lang) *Indexer {
	return &Indexer{lang: l, known: map[string]int32{}, count: map[int32]int32{}}
}

// Terms returns the BM25 weights of a passage, ordered by index.
func (x *Indexer) Terms(p Passage) []Term {
	clear(x.count)
	n := x.add(p.Title) + x.add(p.Context) + x.add(p.Body)
	for _, h := range p.HeadingPath {
		n += x.add(h)
	}
	length := k1 * (1 - b + b*float64(n)/AverageLength)
	terms := make([]Term, 0, len(x.count)+1)
	for i, c := range x.count {
		tf := float64(c)
		terms = append(terms, Term{Index: i, Weight: float32(tf * (k1 + 1) / (tf + length))})
	}
	if m := languageIndex(x.lang); x.count[m] == 0 && x.lang != Unknown {
		terms = append(terms, Term{Index: m, Weight: marker})
	}
	slices.SortFunc(terms, func(a, b Term) int { return int(a.Index) - int(b.Index) })
	return terms
}

// add counts the terms of text and returns how many there were.
func (x *Indexer) add(text string) int {
	n := 0
	s := scanner{text: text}
	for {
		t, ok := s.next()
		if !ok {
			return n
		}
		if i := x.index(text[t.start:t.end], t.class); i >= 0 {
			x.count[i]++
			n++
		}
	}
}

// index is the index of a token's term, -1 for a stop word.
func (x *Indexer) index(surface string, c class) int32 {
	i, seen := x.known[surface]
	if !seen {
		if len(x.known) == maxKnown {
			clear(x.known)
		}
		i = index(x.lang, surface, c)
		x.known[strings.Clone(surface)] = i
	}
	return i
}

// index is the index of a token's term, -1 for a stop word.
func index(l Lang, surface string, c class) int32 {
	term := normal(l, surface, c)
	if term == "" {
		return -1
	}
	return hash(term)
}

// normal returns the form of a token that is indexed, "" for a stop word.
func normal(l Lang, surface string, c class) string {
	switch c {
	case number:
		return strings.TrimRight(strings.ReplaceAll(digits(surface), ",", ""), ".")
	case gram:
		return strings.ToLower(surface)
	case word:
	}
	w := plain(l, surface)
	switch {
	case !stop(l, w):
		return stem(l, w)
	case acronym(surface):
		return w
	default:
		return ""
	}
}

// plain lower-cases a word and removes points, vowel signs and invisible characters. It writes
// in one form what can be written in several: combining accents, ligatures, full-width
// letters.
func plain(l Lang, surface string) string {
	if ascii(surface) && (l != Turkish || !strings.Contains(surface, "I")) {
		return strings.ToLower(strings.ReplaceAll(surface, ".", ""))
	}
	if !norm.NFKC.IsNormalString(surface) {
		surface = norm.NFKC.String(surface)
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '.', r == '\u00ad', r == '\u200c', r == '\u200d', r == 'ـ', '\u064b' <= r && r <= '\u0652', r == '\u0670':
			return -1 // the last ones are Arabic vowel signs, which are rarely written
		case r == '’':
			return '\''
		case l == Turkish && r == 'I': // the small letter of a Turkish I has no dot
			return 'ı'
		case l == Russian && (r == 'ё' || r == 'Ё'): // mostly written as е, and endings always
			return 'е'
		}
		return unicode.ToLower(r)
	}, surface)
}

// acronym distinguishes "US" and "U.S." from "us".
func acronym(surface string) bool {
	n := 0
	for _, r := range surface {
		if r == '.' {
			continue
		}
		if !unicode.IsUpper(r) {
			return false
		}
		n++
	}
	return n >= 2 && n <= 4
}

// digits writes the digits of any script as ASCII digits.
func digits(s string) string {
	if ascii(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf || !unicode.IsDigit(r) {
			return r
		}
		zero := r
		for unicode.IsDigit(zero-1) && r-zero < 9 {
			zero--
		}
		return '0' + (r - zero)
	}, s)
}

// hash maps a term to its index by FNV-1a.
func hash(term string) int32 {
	h := uint64(14695981039346656037)
	for i := range len(term) {
		h ^= uint64(term[i])
		h *= 1099511628211
	}
	return int32(h % Dimensions)
}

// languageIndex returns the index of the term that marks passages of language l.
func languageIndex(l Lang) int32 { return hash("\x00language\x00" + string(rune('a'+l))) }
