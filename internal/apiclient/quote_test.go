package apiclient

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"docqa/gen/mainapi"
)

func TestQuote(t *testing.T) {
	t.Parallel()
	const excerpt = "Prüfung\n\nThe warranty covers the\nbattery for two years. It covers the frame for ten years."
	span := func(part string) mainapi.CitationSpan {
		start := utf8.RuneCountInString(excerpt[:strings.Index(excerpt, part)])
		return mainapi.CitationSpan{Start: start, End: start + utf8.RuneCountInString(part)}
	}
	battery, frame := span("The warranty covers the\nbattery for two years."), span("It covers the frame for ten years.")
	for _, tt := range []struct {
		name, excerpt string
		quotes        []mainapi.CitationSpan
		want          string
	}{
		{"one", excerpt, []mainapi.CitationSpan{battery}, "The warranty covers the battery for two years."},
		{"two", excerpt, []mainapi.CitationSpan{frame, battery}, "It covers the frame for ten years. … The warranty covers the battery for two years."},
		{"none", "Thank you.\nAll of you.", nil, "Thank you. All of you."},
		{"places outside of the excerpt", "Thank you.", []mainapi.CitationSpan{{Start: 2, End: 99}, {Start: -1, End: 1}, {Start: 3, End: 3}}, "Thank you."},
		{"a long excerpt", strings.Repeat("ä", quoteCharacters+1), nil, strings.Repeat("ä", quoteCharacters) + "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, Quote(&mainapi.CitationSource{Excerpt: tt.excerpt, Quotes: tt.quotes}))
		})
	}
}
