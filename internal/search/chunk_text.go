package search

import (
	"strings"
)

// ChunkText returns the text of a chunk that a model reads: the document's title, the headings
// above the chunk, the header of its table, then its body. A model cuts a long text at its
// end, so the title and the headings always count.
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
