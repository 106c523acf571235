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
	const excerpt = "1 What we promise\n\nThank you for buying a lamp. The warranty covers the\nbattery for two years. It covers the frame for ten years."
	span := func(answer, part string) mainapi.CitationSpan {
		start := utf8.RuneCountInString(answer[:strings.Index(answer, part)])
		return mainapi.CitationSpan{Start: start, End: start + utf8.RuneCountInString(part)}
	}
	tests := []struct {
		name, answer string
		parts        []string
		excerpt      string
		want         string
	}{
		{"the sentence itself", "It covers the battery for two years [1].", []string{"It covers the battery for two years [1]."}, excerpt, "The warranty covers the battery for two years."},
		{"two parts", "Für den Akku: battery, two years [1]. Frame: ten years [1].", []string{"Für den Akku: battery, two years [1].", "Frame: ten years [1]."}, excerpt, "The warranty covers the battery for two years. … It covers the frame for ten years."},
		{"one sentence named twice", "Battery: two years [1]. Two years [1].", []string{"Battery: two years [1].", "Two years [1]."}, excerpt, "The warranty covers the battery for two years."},
		{"no common word", "Ja [1].", []string{"Ja [1]."}, "Thank you.\nAll of you.", "Thank you. All of you."},
		{"no spans", "Yes.", nil, "Thank you.", "Thank you."},
		{"a long sentence", "Yes.", nil, strings.Repeat("ä", quoteCharacters+1), strings.Repeat("ä", quoteCharacters) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			source := &mainapi.CitationSource{Excerpt: tt.excerpt}
			for _, part := range tt.parts {
				source.Spans = append(source.Spans, span(tt.answer, part))
			}
			require.Equal(t, tt.want, Quote(tt.answer, source))
		})
	}
	t.Run("spans outside of the answer", func(t *testing.T) {
		t.Parallel()
		source := &mainapi.CitationSource{Excerpt: excerpt, Spans: []mainapi.CitationSpan{{Start: 2, End: 99}, {Start: -1, End: 1}}}
		require.True(t, strings.HasPrefix(Quote("Yes.", source), "1 What we promise"))
	})
}
