package lexical

import (
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
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

// stemmer returns the Snowball stemmer of l, nil if there is none.
func stemmer(l Lang) func(*snowballstem.Env) bool {
	all := [langs]func(*snowballstem.Env) bool{
		English: english.Stem, Danish: danish.Stem, Dutch: dutch.Stem, Finnish: finnish.Stem,
		French: french.Stem, German: german.Stem, Hungarian: hungarian.Stem, Italian: italian.Stem,
		Norwegian: norwegian.Stem, Portuguese: portuguese.Stem, Romanian: romanian.Stem, Russian: russian.Stem,
		Spanish: spanish.Stem, Swedish: swedish.Stem, Turkish: turkish.Stem,
	}
	return all[l]
}

// stem reduces w, in lower case, to the part that its inflected forms share.
func stem(l Lang, w string) string {
	if l == Hindi {
		return stemHindi(w)
	}
	if l == Arabic {
		return stemArabic(w)
	}
	if l == Portuguese {
		w = singular(w)
	}
	if l == English {
		w = fold(w) // in this language accents are part of names and loan words, not of endings
	}
	if s := stemmer(l); s != nil && len(w) > 2 {
		env := snowballstem.NewEnv(w)
		s(env)
		w = env.Current()
	}
	return fold(w)
}

// stemArabic removes conjunction, article and endings, as the light stemmers of retrieval do.
// The Snowball stemmer reads "battery" as "with a ..." if it has no article.
func stemArabic(w string) string {
	r := []rune(alike(w))
	if len(r) >= 4 && r[0] == 'و' {
		r = r[1:]
	}
	for _, article := range []string{"ال", "بال", "كال", "فال", "لل"} {
		if p := []rune(article); len(r) >= len(p)+2 && string(r[:len(p)]) == article {
			r = r[len(p):]
			break
		}
	}
	for _, ending := range []string{"ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي"} {
		if p := []rune(ending); len(r) >= len(p)+2 && string(r[len(r)-len(p):]) == ending {
			r = r[:len(r)-len(p)]
		}
	}
	return string(r)
}

// alike replaces letters that Arabic writers use for each other by one of them.
func alike(w string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case 'أ', 'إ', 'آ', 'ٱ':
			return 'ا'
		case 'ى', 'ی':
			return 'ي'
		case 'ة':
			return 'ه'
		case 'ک':
			return 'ك'
		}
		return r
	}, w)
}

// singular removes a Portuguese plural ending that the stemmer removes only from some words.
func singular(w string) string {
	for _, plural := range []string{"ões", "ães"} {
		if rest, ok := strings.CutSuffix(w, plural); ok {
			return rest + "ão"
		}
	}
	return w
}

// fold removes the accents of Latin and Greek letters, and the dots that distinguish letters in
// Turkish and Russian, so that a question typed without them finds the word.
func fold(w string) string {
	if ascii(w) {
		return w
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(w) {
		switch {
		case r == 'ё':
			b.WriteRune('е')
		case r == 'ı':
			b.WriteRune('i')
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
