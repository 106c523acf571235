package markup

import (
	"regexp"
	"strings"
	"sync"

	"docqa/internal/engine/statement"
)

// patterns are compiled when the first answer is written.
type patterns struct{ link, element, autolink, scheme *regexp.Regexp }

var compiled = sync.OnceValue(func() patterns { //nolint:gochecknoglobals // compiled once
	return patterns{
		link:     regexp.MustCompile(`\[([^\[\]]*)\]\((https?://[^\s()<>"]+)\)`),
		element:  regexp.MustCompile(`<(?:/?[A-Za-z][^<>]*|[!?][^<>]*)>?`),
		autolink: regexp.MustCompile(`^<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>$`),
		scheme:   regexp.MustCompile(`(?i)\b(?:javascript|vbscript)\s*:|\bdata\s*:\s*([a-z]+/)`),
	}
})

// Unlink returns text that no renderer of Markdown makes a link or an element of a page of, except for
// addresses that stand in it as text. Code between backticks stays as it is. open reports that a backtick of the
// text has no other, so that a renderer may see code up to the next statement's: before that
// statement the caller sets it again.
func Unlink(text string, open bool) (out string, stillOpen bool) {
	var b strings.Builder
	for text != "" {
		start := strings.IndexByte(text, '`')
		if start < 0 || open {
			break
		}
		run := text[start : len(text)-len(strings.TrimLeft(text[start:], "`"))]
		length := codeLength(text[start:], run)
		if length == 0 {
			open = true
			break
		}
		b.WriteString(withoutMarkup(text[:start], false))
		b.WriteString(text[start : start+length])
		text = text[start+length:]
	}
	b.WriteString(withoutMarkup(text, open))
	return b.String(), open
}

// codeLength returns the length of the code that begins with a run of backticks and ends with an
// equal run; 0 if it does not end.
func codeLength(text, run string) int {
	for at := len(run); ; {
		next := strings.IndexByte(text[at:], '`')
		if next < 0 {
			return 0
		}
		at += next
		end := len(text) - len(strings.TrimLeft(text[at:], "`"))
		if end-at == len(run) {
			return end
		}
		at = end
	}
}

func withoutMarkup(s string, open bool) string {
	s = strings.ReplaceAll(s, "](", "] (") // outside of Markdown, the brackets are the document's own
	if strings.IndexByte(s, ':') >= 0 {
		s = compiled().scheme.ReplaceAllString(s, "$1")
	}
	if strings.IndexByte(s, '<') < 0 {
		return s
	}
	return compiled().element.ReplaceAllStringFunc(s, func(found string) string {
		switch closed := strings.HasSuffix(found, ">"); {
		case compiled().autolink.MatchString(found):
			return found
		case closed && !open: // "<file>" stays readable, and is no element of a page
			return "`" + found + "`"
		default:
			return "&lt;" + found[1:]
		}
	})
}

// WithAddresses puts the addresses of a statement's links behind their words. raw is the statement
// as it stands in a document in Markdown.
func WithAddresses(text, raw string) string {
	from := 0
	for _, link := range compiled().link.FindAllStringSubmatch(raw, -1) {
		label, address := statement.Plain(link[1]), link[2]
		at := strings.Index(text[from:], label)
		if label == "" || at < 0 || strings.Contains(text, address) {
			continue
		}
		from += at + len(label)
		text = text[:from] + " (" + address + ")" + text[from:]
	}
	return text
}

// Fence returns the backticks around a listing: more of them than it has in a row.
func Fence(code string) string {
	marks := "```"
	for strings.Contains(code, marks) {
		marks += "`"
	}
	return marks
}
