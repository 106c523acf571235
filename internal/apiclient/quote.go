package apiclient

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"docqa/gen/mainapi"
	"docqa/internal/engine/sentence"
)

// quoteCharacters is the maximum length of a quotation.
const quoteCharacters = 400

// Place says where a source stands: the document's title, with the page if it has pages.
func Place(s *mainapi.CitationSource) string {
	if page, ok := s.PageNumber.Get(); ok {
		return fmt.Sprintf("%s, page %d", s.DocumentTitle, page)
	}
	return s.DocumentTitle
}

// Quote returns the sentences of a source that the answer rests on: for each part of the
// answer that names the source, the sentence of the excerpt that shares the most words with it.
// It returns the beginning of the excerpt if no sentence shares a word.
func Quote(answer string, s *mainapi.CitationSource) string {
	var sentences, quotes []string
	for part := range sentence.All(s.Excerpt) {
		sentences = append(sentences, oneLine(s.Excerpt[part.Start:part.End]))
	}
	runes := []rune(answer)
	for _, span := range s.Spans {
		if span.Start < 0 || span.End > len(runes) || span.Start > span.End {
			continue
		}
		if q := nearest(sentences, string(runes[span.Start:span.End])); q != "" && !slices.Contains(quotes, q) {
			quotes = append(quotes, q)
		}
	}
	if len(quotes) == 0 {
		return shorten(oneLine(s.Excerpt))
	}
	return shorten(strings.Join(quotes, " … "))
}

// nearest returns the sentence that shares the most words with text, of equal ones the shortest.
func nearest(sentences []string, text string) (best string) {
	wanted, maxShared := words(regexp.MustCompile(`\[\d+\]`).ReplaceAllString(text, "")), 0
	for _, candidate := range sentences {
		shared := 0
		for word := range words(candidate) {
			if wanted[word] {
				shared++
			}
		}
		if shared > maxShared || shared == maxShared && shared > 0 && len(candidate) < len(best) {
			best, maxShared = candidate, shared
		}
	}
	return best
}

// words returns the different words of text, in lower case.
func words(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		set[word] = true
	}
	return set
}

// oneLine replaces every run of white space by a space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func shorten(s string) string {
	if r := []rune(s); len(r) > quoteCharacters {
		return string(r[:quoteCharacters]) + "…"
	}
	return s
}
