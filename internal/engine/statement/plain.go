package statement

import (
	"regexp"
	"strings"
)

// bullets are the marks of list items.
func bullets() []string { return []string{"- ", "* ", "+ ", "• ", "◦ ", "▪ ", "● "} }

// plain returns a block's text on one line, as it is shown.
func (c *cutter) plain(raw string) string {
	if c.markdown {
		return Plain(raw)
	}
	return oneLine(withoutReferences(withoutBullet(raw)))
}

// Plain drops the markup of Markdown and puts the text on one line. Code between backticks
// stays as it stands.
func Plain(raw string) string {
	raw = withoutBullet(strings.TrimLeft(raw, "> "))
	var b strings.Builder
	for i, part := range strings.Split(raw, "`") {
		if i > 0 {
			b.WriteByte('`')
		}
		if i%2 == 0 || strings.Count(raw, "`")%2 == 1 {
			part = withoutMarkup(part)
		}
		b.WriteString(part)
	}
	return oneLine(b.String())
}

func withoutMarkup(s string) string {
	s = cutTargets(unlink(withoutReferences(s)))
	s = strings.ReplaceAll(s, "**", "")
	if strings.Contains(s, "__") {
		s = strong.ReplaceAllString(s, "$1$2$3")
	}
	return s
}

// strong finds words between double underscores. Within a name or an address they are its own.
var strong = regexp.MustCompile(`(^|[\s("'])__(\S|\S.*?\S)__($|[\s)"'.,;:!?])`)

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func withoutBullet(s string) string {
	for _, mark := range bullets() {
		s = strings.TrimPrefix(s, mark)
	}
	return s
}

// withoutReferences drops a document's own reference numbers, such as "text. [12]": in an
// answer they would name passages. What follows a name directly is an index: "list[12]".
func withoutReferences(s string) string {
	if !strings.ContainsRune(s, '[') {
		return s
	}
	return reference.ReplaceAllString(s, "$1")
}

var reference = regexp.MustCompile(`(^|[^\pL\pN_\]\)\s])(?:\s?\[\d{1,3}\])+|\s\[\d{1,3}\](?:\[\d{1,3}\])*`)

// cutTargets drops what is left of a link that the end of a sentence cut in two.
func cutTargets(s string) string {
	if strings.Contains(s, "](") {
		s = target.ReplaceAllString(s, "")
	}
	return strings.TrimSuffix(strings.TrimSuffix(s, "!["), "[")
}

var target = regexp.MustCompile(`\]\([^)]*\)?`)

// unlink puts the text of a link in its place; images vanish.
func unlink(s string) string {
	for {
		open := strings.Index(s, "](")
		if open < 0 {
			return s
		}
		start := strings.LastIndexByte(s[:open], '[')
		end := strings.IndexByte(s[open:], ')')
		if start < 0 || end < 0 {
			return s
		}
		text, from := s[start+1:open], start
		if start > 0 && s[start-1] == '!' {
			text, from = "", start-1
		}
		s = s[:from] + text + s[open+end+1:]
	}
}
