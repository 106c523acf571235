package search

import (
	"strings"
)

// ChunkText is the text of a chunk as a model reads it: the document's title and the
// headings above it, the header of its table, then its body. What a model reads is cut
// at its end, so that what stands in front always counts.
//
// Source: the measurements of retrieval (title and headings before each chunk, for words
// and vectors alike).
func ChunkText(title string, headingPath []string, context, body string) string {
	var b strings.Builder
	line := func(text string) {
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			b.WriteString(text)
			b.WriteByte('\n')
		}
	}
	line(title)
	line(strings.Join(headingPath, " > "))
	line(context)
	b.WriteString(body)
	return b.String()
}
