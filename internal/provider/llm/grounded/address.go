package grounded

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// addressStart returns where the first address of text begins, -1 if it has none: what a
// renderer would make a link of.
func addressStart(text string) int {
	first := -1
	for i := range len(text) {
		switch text[i] {
		case '/':
			if strings.HasPrefix(text[i:], "//") && (i == 0 || text[i-1] != '/') {
				first = slashes(text, i)
			}
		case '@':
			first = mailStart(text, i)
		case 'w', 'W':
			if len(text) > i+4 && strings.EqualFold(text[i:i+4], "www.") && !joined(text[:i]) {
				first = i
			}
		}
		if first >= 0 {
			return first
		}
	}
	return -1
}

// slashes returns where the address begins whose two slashes stand at place at, -1 if there is
// none: behind slashes without a scheme a name with a point must follow.
func slashes(text string, at int) int {
	if at > 0 && text[at-1] == ':' {
		from := at - 1
		for from > 0 && schemeByte(text[from-1]) {
			from--
		}
		for from < at-1 && !letter(text[from]) {
			from++
		}
		if from < at-1 {
			return from
		}
	}
	host := text[at+2:]
	if end := strings.IndexAny(host, "/ \t\n<>\"')]"); end >= 0 {
		host = host[:end]
	}
	if point := strings.IndexByte(host, '.'); point > 0 && point < len(host)-1 && (at == 0 || !joined(text[:at])) {
		return at
	}
	return -1
}

// mailStart returns where the address of mail begins whose @ stands at place at, with its scheme.
func mailStart(text string, at int) int {
	from := at
	for from > 0 && (schemeByte(text[from-1]) || strings.IndexByte("_%", text[from-1]) >= 0) {
		from--
	}
	if from == at || patterns().mail.FindString(text[from:]) == "" {
		return -1
	}
	for _, scheme := range []string{"mailto:", "xmpp:"} {
		if n := len(scheme); from >= n && strings.EqualFold(text[from-n:from], scheme) {
			return from - n
		}
	}
	return from
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func schemeByte(c byte) bool {
	return letter(c) || '0' <= c && c <= '9' || c == '+' || c == '.' || c == '-'
}

// joined tells whether a name goes on from what stands before it.
func joined(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return before != "" && (alphanumeric(r) || r == '-' || r == '.')
}

// addressEnd returns the length of the address that text begins with, without the punctuation
// behind it.
func addressEnd(text string) int {
	end := strings.IndexFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("<>\"`{}|\\^[]", r) || r > unicode.MaxLatin1 && unicode.IsPunct(r)
	})
	if end < 0 {
		end = len(text)
	}
	for end > 0 {
		switch c := text[end-1]; {
		case strings.IndexByte(".,;:!?'*_~", c) >= 0:
		case c == ')' && strings.Count(text[:end], "(") < strings.Count(text[:end], ")"):
		default:
			return end
		}
		end--
	}
	return max(end, 1)
}

// bare removes from an address what makes it one: its scheme and "www.".
func bare(address string) string {
	for {
		at := patterns().scheme.FindString(address)
		if at == "" {
			return address
		}
		address = address[len(at):]
	}
}

// holds tells whether a text that may be repeated holds an address as a whole, with or without
// its scheme.
func (k *known) holds(address string) bool {
	core := strings.TrimRight(bare(address), "/")
	if core == "" {
		return false
	}
	return k.each(func(text string) bool {
		for at := 0; ; {
			i := strings.Index(text[at:], core)
			if i < 0 {
				return false
			}
			at += i
			if begins(text[:at]) && ends(text[at+len(core):]) {
				return true
			}
			at++
		}
	})
}

// begins tells whether an address may begin behind a text: it is not the middle of another one.
func begins(before string) bool {
	before = strings.TrimSuffix(foldSuffix(before, "www."), "//")
	return !joined(before) && (before == "" || strings.IndexByte("/@=?#&%", before[len(before)-1]) < 0)
}

// foldSuffix returns text without a suffix, whatever its case.
func foldSuffix(text, suffix string) string {
	if n := len(text) - len(suffix); n >= 0 && strings.EqualFold(text[n:], suffix) {
		return text[:n]
	}
	return text
}

// ends tells whether an address is over where rest begins.
func ends(rest string) bool {
	rest = strings.TrimPrefix(rest, "/")
	trimmed := strings.TrimLeft(rest, ".,;:!?'*_~)")
	r, _ := utf8.DecodeRuneInString(trimmed)
	return trimmed == "" || unicode.IsSpace(r) || strings.ContainsRune("<>\"`{}|\\^[]", r) || r > unicode.MaxLatin1 && !unicode.IsLetter(r) ||
		trimmed != rest && !alphanumeric(r) && !strings.ContainsRune("/?#&=%@-+", r)
}

// address returns an address as it may stand in an answer: whole if it is held, else without its
// scheme. Of mail, of which renderers make a link without a scheme, the sign is written out.
func (k *known) address(address string) string {
	if k.holds(address) {
		return address
	}
	rest := bare(address)
	if rest == address && len(rest) > 0 { // mail
		name, host, _ := strings.Cut(rest, "@")
		return name + " at " + k.unlinked(host)
	}
	return k.unlinked(rest)
}

// unlinked returns text with every address that nothing holds without its scheme.
func (k *known) unlinked(text string) string {
	var out strings.Builder
	for {
		at := addressStart(text)
		if at < 0 {
			return out.String() + text
		}
		n := addressEnd(text[at:])
		out.WriteString(text[:at])
		out.WriteString(k.address(text[at : at+n]))
		text = text[at+n:]
	}
}
