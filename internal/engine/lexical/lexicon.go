package lexical

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of a Lexicon.
const (
	maxLexicon    = 200_000 // words
	maxWordLength = 40      // letters of a word that is kept; longer ones are no words
)

// Lexicon holds the words of texts in lower case, to find which one a misspelt word means. Once
// no more text is added, it is safe for concurrent use.
type Lexicon struct {
	entries  []entry
	places   map[string]int32
	byLength [maxWordLength + 1][]int32
}

// entry is a word of a lexicon.
type entry struct {
	word    string
	letters uint64 // a bit for each letter, modulo 64
	count   int32
}

// NewLexicon returns an empty lexicon.
func NewLexicon() *Lexicon { return &Lexicon{places: map[string]int32{}} }

// Size returns the number of words.
func (x *Lexicon) Size() int { return len(x.entries) }

// Add adds the words of text that have letters alone.
func (x *Lexicon) Add(text string) {
	s := scanner{text: text}
	for {
		t, ok := s.next()
		if !ok {
			return
		}
		if t.class == word && t.end-t.start <= maxWordLength*utf8.UTFMax {
			x.add(text[t.start:t.end])
		}
	}
}

func (x *Lexicon) add(surface string) {
	w := plain(Unknown, surface)
	if at, known := x.places[w]; known {
		x.entries[at].count++
		return
	}
	n := utf8.RuneCountInString(w)
	if n < minSuspect || n > maxWordLength || len(x.entries) == maxLexicon || !lettersOnly(w) {
		return
	}
	at := int32(len(x.entries))
	w = strings.Clone(w)
	x.entries = append(x.entries, entry{w, letterBits(w), 1})
	x.places[w] = at
	x.byLength[n] = append(x.byLength[n], at)
}

func (x *Lexicon) holds(w string) bool {
	_, known := x.places[plain(Unknown, w)]
	return known
}

// The costs of edits. A word may be misspelt if the edits cost at most maxEdits together.
//
// Most unknown words of a question are no mistakes: the documents are silent about them. "Battery"
// must not become "better", or a question without an answer gets one. So only the usual slips
// are cheap: a letter is left out, doubled or swapped with its neighbour, or a vowel is replaced
// by another one, and never the first letter. Any other edit is accepted alone, in a long word.
const (
	maxEdits   = 4
	accent     = 1 // a letter with or without its accent
	slip       = 2
	other      = 5 // any other edit
	otherLong  = 4 // the same in a word of longWord letters or more
	longWord   = 9
	twoSlips   = 6 // letters of a word that may have two slips
	shortWord  = 5 // a shorter word has no vowel replaced and is not cut at its end
	impossible = 100
)

// nearest returns the word that w most likely means. Of several at the same cost the one is
// returned that begins and ends alike the longest, then the most frequent. It is empty if
// there is none.
func (x *Lexicon) nearest(w string) string {
	c := comparison{asked: []rune(plain(Unknown, w)), limit: maxEdits, otherCost: other}
	n := len(c.asked)
	if n < minSuspect || n > maxWordLength {
		return ""
	}
	switch {
	case n < twoSlips:
		c.limit = slip
	case n >= longWord:
		c.otherCost = otherLong
	}
	edits := c.limit / slip
	mask := letterBits(string(c.asked))
	for length := max(minSuspect, n-edits); length <= min(maxWordLength, n+edits); length++ {
		for _, at := range x.byLength[length] {
			if e := &x.entries[at]; bits.OnesCount64(e.letters^mask) <= 2*edits {
				c.compare(e)
			}
		}
	}
	if c.best == nil {
		return ""
	}
	return c.best.word
}

// comparison looks for the best word.
type comparison struct {
	asked     []rune
	limit     int // what a better word may cost
	otherCost int
	best      *entry
	alike     int
	rows      [3][maxWordLength + 3]int
}

func (c *comparison) compare(e *entry) {
	word := []rune(e.word)
	cost := c.cost(word)
	if cost > c.limit {
		return
	}
	alike := shared(c.asked, word)
	switch {
	case c.best == nil, cost < c.limit, alike > c.alike,
		alike == c.alike && e.count > c.best.count, alike == c.alike && e.count == c.best.count && e.word < c.best.word:
		c.best, c.alike, c.limit = e, alike, cost
	}
}

// cost adds up the edits that turn the word that was typed into another one. Above limit it may
// be any greater number.
func (c *comparison) cost(word []rune) int {
	a, before, row, next := c.asked, &c.rows[0], &c.rows[1], &c.rows[2]
	for j := range len(word) + 1 {
		row[j] = j * impossible
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i * impossible
		least := next[0]
		for j := 1; j <= len(word); j++ {
			next[j] = min(row[j]+c.typed(i), next[j-1]+c.left(word, j), row[j-1]+c.replaced(word, i, j))
			if i > 1 && j > 1 && a[i-1] == word[j-2] && a[i-2] == word[j-1] {
				next[j] = min(next[j], before[j-2]+slip)
			}
			least = min(least, next[j])
		}
		if least > c.limit {
			return least
		}
		before, row, next = row, next, before
	}
	return row[len(word)]
}

// typed is the cost of a letter too many: the i-th, from 1, of the word that was typed.
func (c *comparison) typed(i int) int {
	switch {
	case i == 1:
		return impossible
	case c.asked[i-1] == c.asked[i-2]:
		return slip
	}
	return c.otherCost
}

// left is the cost of leaving out the j-th letter, from 1. A short word is rarely cut at its end:
// "plan" does not mean "plane".
func (c *comparison) left(word []rune, j int) int {
	switch {
	case j == 1:
		return impossible
	case j == len(word) && len(c.asked) < shortWord && !stop(English, string(word)):
		return c.otherCost
	}
	return slip
}

// replaced is the cost of typing the i-th letter for the j-th of word.
func (c *comparison) replaced(word []rune, i, j int) int {
	typed, meant := c.asked[i-1], word[j-1]
	switch {
	case typed == meant:
		return 0
	case base(typed) == base(meant):
		return accent
	case i == 1 || j == 1:
		return impossible
	case vowel(typed) && vowel(meant) && len(c.asked) >= shortWord:
		return slip
	}
	return c.otherCost
}

func vowel(r rune) bool { return strings.ContainsRune("aeiouyаеиоуыэюя", base(r)) }

// shared counts the letters that two words have in common at the beginning and at the end.
func shared(a, b []rune) int {
	short, n := min(len(a), len(b)), 0
	for n < short && a[n] == b[n] {
		n++
	}
	end := 0
	for end < short-n && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return n + end
}

func letterBits(w string) (mask uint64) {
	for _, r := range w {
		mask |= 1 << (uint32(r) & 63)
	}
	return mask
}

func lettersOnly(w string) bool {
	return !slices.ContainsFunc([]rune(w), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
}
