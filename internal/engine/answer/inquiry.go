package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/engine/lexical"
)

// expected is the kind of thing a question asks for.
type expected uint8

const (
	anything expected = iota
	aTime
	aNumber
	aName // a person or a place
)

// inquiry is a question that is being answered.
type inquiry struct {
	q        *lexical.Question
	text     string // in lower case
	find     *lexical.Finder
	lang     lexical.Lang
	expected expected
	total    float64 // weight of all words
}

func newInquiry(question string, q *lexical.Question) *inquiry {
	x := &inquiry{q: q, text: strings.ToLower(question), find: q.Finder(), lang: lexical.Detect(question), expected: expects(question)}
	for _, w := range q.Words {
		x.total += w.Weight
	}
	x.total = max(x.total, 1e-9)
	return x
}

// expects reads the question word. It knows those of the languages that the index
// knows best; other questions expect anything.
func expects(question string) expected {
	s := " " + strings.ToLower(strings.Join(strings.FieldsFunc(question, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r)
	}), " ")) + " "
	for _, k := range [...]struct {
		is    expected
		words []string
	}{
		{aTime, []string{
			" when ", " what year ", " which year ", " what date ", " what month ", " what day ", " what time ", " what century ", " what decade ", " how long ago ",
			" wann ", " welchem jahr ", " seit wann ", " cuándo ", " cuando ", " qué año ", " quand ", " quelle année ", " quale anno ", " когда ", " каком году ", " متى ", " कब ",
		}},
		{aNumber, []string{
			" how many ", " how much ", " how long ", " how old ", " how far ", " how tall ", " how big ", " how large ", " how high ", " how often ", " how fast ", " how deep ", " what percentage ", " what percent ", " what number ", " what amount ", " what is the price ",
			" what is the cost ", " what was the total ", " wie viel ", " wie viele ", " wie lange ", " wie hoch ", " wie oft ", " cuánto ", " cuánta ", " cuántos ", " cuántas ", " combien ", " quanto ", " quanti ", " quante ", " сколько ", " كم ", " कितने ", " कितनी ", " कितना ",
		}},
		{aName, []string{
			" who ", " whom ", " whose ", " where ", " what city ", " what country ", " which country ", " which city ", " what company ", " wer ", " wem ", " wen ", " wo ", " woher ", " quién ", " quiénes ", " dónde ", " qui ", " où ", " chi ", " dove ", " кто ", " где ",
		}},
	} {
		for _, w := range k.words {
			if strings.Contains(s, w) {
				return k.is
			}
		}
	}
	return expectsUnspaced(s)
}

// expectsUnspaced reads the question words of scripts without spaces.
func expectsUnspaced(s string) expected {
	for _, k := range [...]struct {
		is    expected
		words []string
	}{
		{aTime, []string{"什么时候", "何时", "哪一年", "哪年", "いつ", "เมื่อไหร่", "เมื่อใด"}},
		{aNumber, []string{"多少", "几", "いくつ", "いくら", "เท่าไหร่", "เท่าไร"}},
	} {
		for _, w := range k.words {
			if strings.Contains(s, w) {
				return k.is
			}
		}
	}
	return anything
}

// offers tells whether a statement holds what the question expects, apart from the
// question's own words.
func (x *inquiry) offers(s *quotation) bool {
	if x.expected == anything {
		return true
	}
	hit := 0
	first := true
	for at, w := range fields(s.text) {
		for hit < len(s.hits) && s.hits[hit].End <= at {
			hit++
		}
		asked := hit < len(s.hits) && s.hits[hit].Start < at+len(w)
		r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
		switch {
		case asked:
		case x.expected == aName && unicode.IsUpper(r) && !first:
			return true
		case x.expected == aName && r > 0x2E80: // scripts without capital letters
			return true
		case x.expected == aNumber && (strings.ContainsFunc(w, unicode.IsDigit) || numeral(w)):
			return true
		case x.expected == aTime && timeLike(w):
			return true
		}
		first = false
	}
	return false
}

// fields yields the words between white space with their places.
func fields(s string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		start := -1
		for i, r := range s {
			if !unicode.IsSpace(r) {
				if start < 0 {
					start = i
				}
				continue
			}
			if start >= 0 && !yield(start, s[start:i]) {
				return
			}
			start = -1
		}
		if start >= 0 {
			yield(start, s[start:])
		}
	}
}

// numeral tells whether w spells a number in English.
func numeral(w string) bool {
	switch strings.ToLower(strings.Trim(w, ".,;:()")) {
	case "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twenty", "thirty", "forty", "fifty", "sixty",
		"hundred", "hundreds", "thousand", "thousands", "million", "millions", "billion", "half", "third", "quarter", "dozen", "several", "once", "twice":
		return true
	}
	return false
}

// timeLike tells whether w is a year, a part of a date or the name of a month.
func timeLike(w string) bool {
	digits := 0
	for _, r := range w {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	if digits >= 3 || digits > 0 && strings.ContainsAny(w, "/:") {
		return true
	}
	switch strings.ToLower(strings.Trim(w, ".,;:()")) {
	case "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "century", "centuries", "today", "annually", "monthly", "weekly", "daily",
		"januar", "februar", "märz", "mai", "juni", "juli", "oktober", "dezember", "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre", "siglo", "jahrhundert":
		return true
	}
	return digits > 0 && strings.ContainsFunc(w, func(r rune) bool { return r == '年' || r == '月' || r == '世' })
}
