package sentence

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// Span is where a sentence lies in the text, in bytes, without the white space around it.
type Span struct{ Start, End int }

// Split returns the sentences of text. An empty line ends a sentence, and so does
// the end of a table row, heading or list item; other line ends count as spaces.
func Split(text string) []Span { return slices.Collect(All(text)) }

// All is Split for texts of any size: it holds one sentence at a time.
func All(text string) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for p := range passages(text) {
			if p.whole {
				if s := trimmed(text, p.Span); s.Start < s.End && !yield(s) {
					return
				}
				continue
			}
			if !split(text, p.Span, yield) {
				return
			}
		}
	}
}

// split yields the sentences of a stretch of running text; false ends the iteration.
func split(text string, p Span, yield func(Span) bool) bool {
	flat := strings.NewReplacer("\n", " ", "\r", " ").Replace(text[p.Start:p.End]) // as long as before
	it := sentences.FromString(flat)
	start := 0
	for it.Next() {
		end := it.End() + reference(flat[it.Start():it.End()], flat[it.End():])
		if end < len(flat) && goesOn(flat[start:end], flat[end:]) {
			continue
		}
		if s := trimmed(text, Span{p.Start + start, p.Start + end}); s.Start < s.End && !yield(s) {
			return false
		}
		start = end
	}
	return true
}

// reference returns the length of what is left of a reference number behind a full stop, as in
// "said.[12] Next": the rules of Unicode end the sentence inside of it.
func reference(said, next string) int {
	if !strings.HasSuffix(said, "[") {
		return 0
	}
	digits := len(next) - len(strings.TrimLeftFunc(next, unicode.IsDigit))
	if digits == 0 || digits > 3 || !strings.HasPrefix(next[digits:], "]") {
		return 0
	}
	return digits + 1
}

// trimmed is s without the white space around it.
func trimmed(text string, s Span) Span {
	part := text[s.Start:s.End]
	s.Start += len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace))
	s.End -= len(part) - len(strings.TrimRightFunc(part, unicode.IsSpace))
	return s
}

// goesOn tells whether what follows belongs to the same sentence: said ends with an
// abbreviation, an initial or an item's number, or next begins in lower case.
func goesOn(said, next string) bool {
	if r, _ := utf8.DecodeRuneInString(next); strings.HasSuffix(said, ".") && !unicode.IsSpace(r) && r < utf8.RuneSelf {
		return true // a dotted number or name: "11.2.1", "pg_hba.conf"
	}
	if strings.HasSuffix(said, "![") || strings.HasSuffix(said, "!") && strings.HasPrefix(next, "[") {
		return true // an image of Markdown
	}
	said = strings.TrimRightFunc(said, unicode.IsSpace)
	if !strings.HasSuffix(said, ".") {
		return false
	}
	last := strings.TrimSuffix(said, ".")
	if i := strings.LastIndexFunc(last, unicode.IsSpace); i >= 0 {
		_, size := utf8.DecodeRuneInString(last[i:])
		last = last[i+size:]
	} else if numbering(last) {
		return true
	}
	last = strings.TrimLeft(last, "([\"'“‘")
	if abbreviation(strings.ToLower(last)) || initial(last) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(next, unicode.IsSpace))
	return unicode.IsLower(r)
}

// numbering tells whether w, alone before a point, numbers what follows ("12.", "a.").
func numbering(w string) bool {
	if w == "" || len(w) > 3 {
		return false
	}
	for _, r := range w {
		if !unicode.IsDigit(r) {
			return len(w) == 1 && unicode.IsLetter(r)
		}
	}
	return true
}

// initial tells whether w is a capital letter, or several with points ("J", "U.S").
func initial(w string) bool {
	n := 0
	for part := range strings.SplitSeq(w, ".") {
		r, size := utf8.DecodeRuneInString(part)
		if size != len(part) || !unicode.IsUpper(r) {
			return false
		}
		n++
	}
	return n > 0 && w != "I"
}

// abbreviation tells whether w, in lower case and without its last point, is
// commonly followed by a capital letter inside a sentence.
func abbreviation(w string) bool {
	switch w {
	case "mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "rev", "hon", "gen", "col", "lt", "sgt", "capt", "cmdr", "gov", "sen", "rep", "pres", "mt", "ft",
		"e.g", "i.e", "eg", "ie", "aka", "resp", "incl", "cf", "vs", "viz", "approx", "ca", "c", "al", "fig", "figs", "no", "nos", "vol", "vols", "pp", "p", "ch", "sec", "art", "eq", "ed", "eds", "ref",
		"inc", "ltd", "corp", "co", "dept", "univ", "assn", "bros",
		"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
		"z.b", "bzw", "d.h", "u.a", "nr", "str", "abs", "evtl", "ggf", "usw", "hr", "fr", "dipl", "ing",
		"sra", "srta", "ud", "uds", "núm", "pág", "mme", "mlle", "m", "ст", "г", "гг", "им", "т.е", "др", "проф":
		return true
	}
	return false
}
