package apiclient

import (
	"fmt"
	"strings"

	"docqa/gen/mainapi"
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

// Quote returns the statements of a source that the answer quotes, or the beginning of the
// excerpt if it quotes none.
func Quote(s *mainapi.CitationSource) string {
	var quotes []string
	runes := []rune(s.Excerpt)
	for _, q := range s.Quotes {
		if q.Start >= 0 && q.Start < q.End && q.End <= len(runes) {
			quotes = append(quotes, shorten(oneLine(string(runes[q.Start:q.End]))))
		}
	}
	if len(quotes) == 0 {
		return shorten(oneLine(s.Excerpt))
	}
	return strings.Join(quotes, " … ")
}

// oneLine replaces every run of white space by a space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func shorten(s string) string {
	if r := []rune(s); len(r) > quoteCharacters {
		return string(r[:quoteCharacters]) + "…"
	}
	return s
}
