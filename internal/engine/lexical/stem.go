package lexical

import (
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
	"golang.org/x/text/unicode/norm"
)

// stemmer returns the snowball stemmer of l, nil where there is none.
func stemmer(l Lang) func(*snowballstem.Env) bool {
	all := [langs]func(*snowballstem.Env) bool{
		English: english.Stem, Arabic: arabic.Stem, Danish: danish.Stem, Dutch: dutch.Stem, Finnish: finnish.Stem,
		French: french.Stem, German: german.Stem, Hungarian: hungarian.Stem, Italian: italian.Stem,
		Norwegian: norwegian.Stem, Portuguese: portuguese.Stem, Romanian: romanian.Stem, Russian: russian.Stem,
		Spanish: spanish.Stem, Swedish: swedish.Stem, Turkish: turkish.Stem,
	}
	return all[l]
}

// stem reduces w, in lower case, to what its inflected forms have in common.
func stem(l Lang, w string) string {
	if l == Hindi {
		return stemHindi(w)
	}
	if l == English {
		w = fold(w) // accents belong to names and loan words here, not to the endings
	}
	if s := stemmer(l); s != nil && len(w) > 2 {
		env := snowballstem.NewEnv(w)
		s(env)
		w = env.Current()
	}
	return fold(w)
}

// fold drops the accents of Latin and Greek letters, so that a question typed
// without them finds the word.
func fold(w string) string {
	if ascii(w) {
		return w
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(w) {
		switch {
		case r == 'ё':
			b.WriteRune('е')
		case unicode.Is(unicode.Mn, r) && r < 0x0370:
		default:
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

func ascii(w string) bool {
	for i := range len(w) {
		if w[i] >= 0x80 {
			return false
		}
	}
	return true
}

// stemHindi removes the longest inflectional ending that leaves two letters or more.
func stemHindi(w string) string {
	r := []rune(w)
	for n := min(5, len(r)-2); n > 0; n-- {
		if hindiEnding(string(r[len(r)-n:])) {
			return string(r[:len(r)-n])
		}
	}
	return w
}

func hindiEnding(s string) bool {
	switch s {
	case "ाएंगी", "ाएंगे", "ाऊंगी", "ाऊंगा", "ाइयाँ", "ाइयों", "ाइयां",
		"ाएगी", "ाएगा", "ाओगी", "ाओगे", "एंगी", "ेंगी", "एंगे", "ेंगे", "ूंगी", "ूंगा", "ातीं", "नाओं", "नाएं", "ताओं", "ताएं", "ियाँ", "ियों", "ियां",
		"ाकर", "ाइए", "ाईं", "ाया", "ेगी", "ेगा", "ोगी", "ोगे", "ाने", "ाना", "ाते", "ाती", "ाता", "तीं", "ाओं", "ाएं", "ुओं", "ुएं", "ुआं",
		"कर", "ाओ", "िए", "ाई", "ाए", "ने", "नी", "ना", "ते", "ीं", "ती", "ता", "ाँ", "ां", "ों", "ें",
		"ो", "े", "ू", "ु", "ी", "ि", "ा":
		return true
	}
	return false
}
