package plain

import (
	"strings"

	"docqa/internal/engine/doc"
)

// Parse reads a text in UTF-8: paragraphs stand between empty lines.
func Parse(source string) *doc.Document {
	page := doc.NewSourceBuilder(0, source)
	start, end := -1, 0
	flush := func() {
		if start >= 0 {
			kind, level := kindOf(source[start:end])
			page.Mark(kind, level, start, end)
		}
		start = -1
	}
	for at := 0; at < len(source); {
		next := len(source)
		if i := strings.IndexAny(source[at:], "\n\f"); i >= 0 {
			next = at + i + 1
		}
		line := strings.Trim(source[at:next], " \t\r\n\f")
		if line == "" {
			flush()
		} else {
			from := at + strings.Index(source[at:next], line)
			if start < 0 {
				start = from
			}
			end = from + len(line)
		}
		at = next
	}
	flush()
	return &doc.Document{Pages: []doc.Page{page.Page()}}
}

// kindOf takes a short line of its own without a full stop for a heading.
func kindOf(block string) (kind doc.Kind, level int) {
	if strings.ContainsAny(block, "\n\t|") || len(block) > 80 || strings.Count(block, " ") > 10 {
		return doc.Paragraph, 0
	}
	if strings.ContainsAny(block[len(block)-1:], ".,;:!?\"')") {
		return doc.Paragraph, 0
	}
	return doc.Heading, 1
}
