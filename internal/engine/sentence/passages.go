package sentence

import (
	"strings"
	"unicode"
)

// passage is a stretch of running text or, whole, a line that stands for itself.
type passage struct {
	Span
	whole bool
}

// passages cuts text at empty lines and around the lines that stand for themselves.
func passages(text string) []passage {
	var out []passage
	start, end := -1, 0 // of the running text that is being collected
	flush := func() {
		if start >= 0 {
			out = append(out, passage{Span: Span{start, end}})
		}
		start = -1
	}
	for at := 0; at < len(text); {
		next := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		line := strings.TrimSpace(text[at:next])
		switch {
		case line == "":
			flush()
		case row(line):
			flush()
			out = append(out, passage{Span{at, next}, true})
		default:
			if item(line) {
				flush()
			}
			if start < 0 {
				start = at
			}
			end = next
		}
		at = next
	}
	flush()
	return out
}

// row tells whether a line stands for itself: a table row or a marked heading.
func row(line string) bool {
	return strings.Contains(line, "\t") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "#")
}

// item tells whether a line begins a list item.
func item(line string) bool {
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "◦ ", "▪ ", "● ", "– ", "○ "} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	digits := len(line) - len(strings.TrimLeftFunc(line, unicode.IsDigit))
	return digits > 0 && digits <= 3 && (strings.HasPrefix(line[digits:], ". ") || strings.HasPrefix(line[digits:], ") "))
}
