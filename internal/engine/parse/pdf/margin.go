package pdf

import (
	"strings"
	"unicode"
)

// repeated finds the running heads and feet: the same text, but for its numbers, at
// the top or bottom of at least three pages and a third of all.
func repeated(pages []page) map[string]bool {
	count := map[string]int{}
	for i := range pages {
		seen := map[string]bool{}
		for j := range pages[i].lines {
			if k := marginKey(&pages[i], &pages[i].lines[j]); k != "" && !seen[k] {
				seen[k] = true
				count[k]++
			}
		}
	}
	out := map[string]bool{}
	for k, n := range count {
		if n >= 3 && n*3 >= len(pages) {
			out[k] = true
		}
	}
	return out
}

// marginKey is the text of a line in the upper or lower twelfth of the page with its
// numbers made equal, "" for any other line.
func marginKey(p *page, l *line) string {
	edge := p.height / 12
	if p.height <= 0 || len(l.words) == 0 || (l.bottom > edge && l.top < p.height-edge) {
		return ""
	}
	side := "top "
	if l.top >= p.height-edge {
		side = "bottom "
	}
	return side + strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '0'
		}
		return r
	}, strings.Join(strings.FieldsFunc(text(l.words), unicode.IsDigit), "0"))
}
