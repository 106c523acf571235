package lexical

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lang is the language whose stemmer and stop words apply.
type Lang uint8

// The languages that Detect distinguishes. Other text is Unknown and is not stemmed.
const (
	Unknown Lang = iota
	English
	Arabic
	Danish
	Dutch
	Finnish
	French
	German
	Hindi
	Hungarian
	Italian
	Norwegian
	Portuguese
	Romanian
	Russian
	Spanish
	Swedish
	Turkish
	Unspaced // Chinese, Japanese, Korean, Thai and the like: pairs of characters
	langs    // the number of languages
)

// Code is the language's ISO 639-1 code, "" if it has none here.
func (l Lang) Code() string {
	codes := [langs]string{
		English: "en", Arabic: "ar", Danish: "da", Dutch: "nl", Finnish: "fi", French: "fr", German: "de",
		Hindi: "hi", Hungarian: "hu", Italian: "it", Norwegian: "no", Portuguese: "pt", Romanian: "ro",
		Russian: "ru", Spanish: "es", Swedish: "sv", Turkish: "tr",
	}
	if l >= langs {
		return ""
	}
	return codes[l]
}

// sample is how many bytes of a text Detect reads.
const sample = 20_000

// Detect returns the language of text, by its script and, for Latin letters, by the language
// whose stop words are the most frequent.
func Detect(text string) Lang {
	if len(text) > sample {
		text = text[:sample]
	}
	var hits [langs]int
	var latin, cyrillic, arabic, devanagari, unspacedRunes int
	s := scanner{text: text}
	for {
		t, ok := s.next()
		if !ok {
			break
		}
		r, _ := utf8.DecodeRuneInString(text[t.start:])
		switch {
		case t.class == gram:
			unspacedRunes++
		case t.class == number:
		case unicode.Is(unicode.Latin, r):
			latin++
			countStops(&hits, strings.ToLower(text[t.start:t.end]))
		case unicode.Is(unicode.Cyrillic, r):
			cyrillic++
		case unicode.Is(unicode.Arabic, r):
			arabic++
		case unicode.Is(unicode.Devanagari, r):
			devanagari++
		}
	}
	highest := max(latin, cyrillic, arabic, devanagari, unspacedRunes/2)
	switch highest {
	case 0:
		return Unknown
	case unspacedRunes / 2:
		return Unspaced
	case latin:
		return latinLang(&hits)
	case cyrillic:
		return Russian
	case arabic:
		return Arabic
	default:
		return Hindi
	}
}

func countStops(hits *[langs]int, w string) {
	for l := English; l < Unspaced; l++ {
		if stop(l, w) {
			hits[l]++
		}
	}
}

// latinLang returns the language with the most stop words, English if there are none.
func latinLang(hits *[langs]int) Lang {
	best := English
	for l := English; l < Unspaced; l++ {
		if hits[l] > hits[best] {
			best = l
		}
	}
	return best
}

// Foreign returns the language of a question's text if that is none of the project's. It is sure
// where the scripts differ, or where the text has two stop words or more of the language and
// more of them than of each of the project's.
func (q *Question) Foreign(text string) (l Lang, sure bool) {
	if l = Detect(text); slices.Contains(q.langs, l) || l == Unknown || len(q.langs) == 0 {
		return l, false
	}
	if !latinScript(l) {
		return l, true
	}
	var hits [langs]int
	s := scanner{text: text}
	for {
		t, ok := s.next()
		if !ok {
			break
		}
		if t.class == word {
			countStops(&hits, strings.ToLower(text[t.start:t.end]))
		}
	}
	own := 0
	for _, p := range q.langs {
		own = max(own, hits[p])
	}
	for _, p := range []Lang{German, French, Spanish, Italian, Portuguese} { // of languages with as many, the most spoken one
		if hits[p] == hits[l] {
			l = p
			break
		}
	}
	return l, hits[l] > own && (hits[l] > 1 || !slices.ContainsFunc(q.langs, latinScript))
}

// Languages returns the languages of a considerable part of the project's passages, or the
// question's own if the project has none.
func (q *Question) Languages() []Lang { return q.langs }

func latinScript(l Lang) bool {
	return l != Arabic && l != Hindi && l != Russian && l != Unspaced
}
