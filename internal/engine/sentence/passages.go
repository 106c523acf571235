package sentence

import (
	"iter"
	"strings"
	"unicode"
)

// passage is a stretch of running text or, whole, a line that stands for itself.
type passage struct {
	Span
	whole bool
}

// passages cuts text at empty lines and around the lines that stand for themselves.
func passages(text string) iter.Seq[passage] {
	return func(yield func(passage) bool) {
		start, end := -1, 0 // of the running text that is being collected
		flush := func() bool {
			from := start
			start = -1
			return from < 0 || yield(passage{Span: Span{from, end}})
		}
		for at := 0; at < len(text); {
			next := len(text)
			if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
				next = at + i + 1
			}
			line := strings.TrimSpace(text[at:next])
			alone := row(line)
			if (line == "" || alone || item(line)) && !flush() {
				return
			}
			switch {
			case line == "":
			case alone:
				if !yield(passage{Span{at, next}, true}) {
					return
				}
			default:
				if start < 0 {
					start = at
				}
				end = next
			}
			at = next
		}
		flush()
	}
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
