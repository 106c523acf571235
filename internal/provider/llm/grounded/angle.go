package grounded

import (
	"strings"
)

// angle reads what begins with "<": a raised number, an address, a tag of HTML, or a sign.
func (l *lexer) angle() (piece, int, found) {
	if len(l.buf) == 1 && !l.last {
		return piece{}, 0, tooShort
	}
	if len(l.buf) == 1 || !letter(l.buf[1]) && l.buf[1] != '/' && l.buf[1] != '!' && l.buf[1] != '?' {
		return piece{text: "<"}, 1, something
	}
	window := l.buf[:min(len(l.buf), spanBytes)]
	end := strings.IndexByte(window, '>')
	blank := strings.Index(window, "\n\n")
	if end < 0 && blank < 0 && !l.last && len(l.buf) < spanBytes {
		return piece{}, 0, tooShort
	}
	if end < 0 || blank >= 0 && blank < end || strings.IndexByte(window[1:], '<') >= 0 && strings.IndexByte(window[1:], '<')+1 < end {
		return piece{text: sign(window)}, 1, something
	}
	if p, n, is := l.raisedTag(); is != nothing {
		return p, n, is
	}
	inner := window[1:end]
	if !strings.ContainsAny(inner, " \t\n") && addressStart(inner) == 0 {
		if l.known.holds(inner) {
			return piece{text: window[:end+1]}, end + 1, something
		}
		return piece{text: l.known.address(inner)}, end + 1, something
	}
	if scheme := strings.IndexByte(inner, ':'); scheme > 1 && !strings.ContainsAny(inner, " \t\n") && schemeOnly(inner[:scheme]) { // <javascript:…>
		return piece{text: "‹" + inner + "›"}, end + 1, something
	}
	if active(window[:end+1]) {
		if end+1 == len(l.buf) && !l.last {
			return piece{}, 0, tooShort
		}
		return piece{text: l.quoted(strings.Join(strings.Fields(l.known.unlinked(window[:end+1])), " "), l.buf[end+1:])}, end + 1, something
	}
	return piece{text: sign(window)}, 1, something
}

// raisedTag reads <sup>1</sup>.
func (l *lexer) raisedTag() (piece, int, found) {
	folded := strings.ToLower(l.buf[:min(len(l.buf), len("<sup>"))])
	if folded != "<sup>" {
		return piece{}, 0, nothing
	}
	window := l.buf[:min(len(l.buf), spanBytes/4)]
	if !strings.Contains(strings.ToLower(window), "</sup>") {
		if !l.last && len(window) < spanBytes/4 {
			return piece{}, 0, tooShort
		}
		return piece{}, 0, nothing
	}
	found := patterns().superTag.FindStringSubmatch(window)
	if found == nil {
		return piece{}, 0, nothing
	}
	m := mark{text: found[0], after: l.buf[len(found[0]):]}
	m.numbers, m.spread = numbersOf(found[1])
	if m.after == "" && !l.last {
		return piece{}, 0, tooShort
	}
	p, n, is := l.footnote(m)
	if p.kind != isMark {
		return piece{text: "<sup>"}, len("<sup>"), something
	}
	return p, n, is
}

// sign returns "<" as it may stand where no tag is complete: what looks like an open tag to a
// renderer gets another sign.
func sign(text string) string {
	head := strings.ToLower(text[:min(len(text), 256)])
	if end := strings.IndexAny(head[1:], "<\n"); end >= 0 {
		head = head[:end+1]
	}
	name := strings.TrimLeft(head[1:], "/")
	end := strings.IndexFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' })
	if end < 0 {
		end = len(name)
	}
	if scheme := strings.IndexByte(head, ':'); scheme > 2 && schemeOnly(head[1:scheme]) { // <javascript:…
		return "‹"
	}
	if activeName(name[:end]) || strings.HasPrefix(head, "<!") || strings.HasPrefix(head, "<?") || strings.Contains(head, "=") && end > 0 {
		return "‹"
	}
	return "<"
}

func schemeOnly(text string) bool {
	return letter(text[0]) && strings.IndexFunc(text, func(r rune) bool { return r > 0x7f || !schemeByte(byte(r)) }) < 0
}

// active tells whether a tag could load, run or link something, or has attributes.
func active(tag string) bool {
	if strings.HasPrefix(tag, "<!") || strings.HasPrefix(tag, "<?") {
		return true
	}
	m := patterns().tag.FindStringSubmatch(tag)
	return m != nil && (activeName(strings.ToLower(m[1])) || strings.Contains(tag, "="))
}

// activeName tells whether the element of a name loads, runs, links or hides something.
func activeName(name string) bool {
	switch name {
	case "a", "img", "image", "script", "iframe", "frame", "frameset", "object", "embed", "applet", "link", "style", "base", "meta", "form", "input", "button",
		"textarea", "select", "video", "audio", "source", "track", "svg", "math", "template", "noscript", "html", "head", "body", "title", "xml", "plaintext", "portal",
		"dialog", "marquee", "area", "map", "canvas", "slot", "param":
		return true
	}
	return false
}
