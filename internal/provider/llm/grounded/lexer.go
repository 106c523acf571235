package grounded

import (
	"strings"
	"unicode/utf8"
)

const (
	wordBytes = 4 << 10 // longest word that is read as one
	spanBytes = 2 << 10 // longest code, link or tag on a line
)

// kind is what a piece of a reply is.
type kind uint8

const (
	isWord    kind = iota // text without white space
	isSpace               // white space
	isCode                // code between backticks; it stays as it is
	isListing             // a line of a fenced block; it stays as it is
	isMark                // a marker
	isRefusal             // a line that says that there is no answer
)

// piece is a part of a reply.
type piece struct {
	kind  kind
	text  string
	cites []int // the passages of a marker, from 1; none if it names none that exist
	alone bool  // a marker that stands alone on its line
}

// lexer divides a reply into pieces. Where it divides depends on the text alone, not on the
// fragments in which the text came: it waits until what follows cannot change a piece.
type lexer struct {
	known *known
	buf   string // not yet divided
	last  bool   // no text follows

	line     string // the present line as it stands, up to buf
	word     string // the text directly before buf, since the last white space or marker
	previous string // the word before that
	fence    string // the mark of the open fenced block
	margin   string // what stands before the mark of the fenced block on its line
	unpaired bool   // the paragraph holds a backtick that begins no code
	numbered bool   // the text counts with numbers in parentheses
}

// next returns the next piece; ok is false if more text is needed.
func (l *lexer) next() (p piece, ok bool) {
	if l.buf == "" {
		return piece{}, false
	}
	var n int
	switch {
	case l.fence != "":
		if p, n = l.listing(); l.fence == "" && n == 0 && strings.IndexByte(" \t\r\n", l.buf[0]) >= 0 {
			p, n = l.space()
		}
	case strings.IndexByte(" \t\r\n", l.buf[0]) >= 0:
		p, n = l.space()
	default:
		p, n = l.run()
	}
	if n == 0 {
		return piece{}, false
	}
	l.advance(n, p.kind)
	return p, true
}

// advance moves behind the next n bytes.
func (l *lexer) advance(n int, k kind) {
	raw := l.buf[:n]
	l.buf = l.buf[n:]
	l.line += raw
	if at := strings.LastIndexByte(raw, '\n'); at >= 0 {
		l.line = raw[at+1:]
		l.unpaired = l.unpaired && strings.Count(raw, "\n") == 1
	}
	switch k {
	case isSpace:
		if l.word != "" {
			l.previous = l.word
		}
		l.word = ""
	case isMark:
		l.word = ""
	case isWord, isCode, isListing, isRefusal:
		l.word = tail(l.word+raw, 256)
	}
}

// space reads white space.
func (l *lexer) space() (piece, int) {
	n := len(l.buf) - len(strings.TrimLeft(l.buf, " \t\r\n"))
	if n == len(l.buf) && !l.last {
		return piece{}, 0
	}
	return piece{kind: isSpace, text: l.buf[:n]}, n
}

// run reads from the beginning of text without white space.
func (l *lexer) run() (piece, int) {
	window := l.buf[:min(len(l.buf), wordBytes)]
	end := strings.IndexAny(window, " \t\r\n")
	if end < 0 {
		if !l.last && len(l.buf) < wordBytes {
			return piece{}, 0
		}
		if end = len(window); end < len(l.buf) {
			end = max(wholeRunes(window), 1)
		}
	}
	if l.atLineStart() {
		if p, n, is := l.lineStart(); is != nothing {
			return p, n
		}
	}
	run := l.buf[:end]
	if p, n, is := l.special(run); is != nothing {
		return p, n
	}
	_, size := utf8.DecodeRuneInString(run)
	n := size + special(run[size:])
	if at := addressStart(run[:end]); at > 0 && at < n {
		n = at
	}
	return piece{kind: isWord, text: run[:n]}, n
}

// special returns the length of the text before the next character that may begin something
// else than a word.
func special(run string) int {
	for i := range len(run) {
		switch c := run[i]; {
		case c == '`' || c == '[' || c == '<' || c == '(' || c == ']' && i+1 < len(run) && run[i+1] == '(':
			return i
		case c == '!' && i+1 < len(run) && run[i+1] == '[', c == '\\' && i+1 < len(run) && run[i+1] == '[':
			return i
		case c >= utf8.RuneSelf:
			r, _ := utf8.DecodeRuneInString(run[i:])
			if superDigit(r) >= 0 || r == '【' || r == '［' || r == '（' {
				return i
			}
		}
	}
	return len(run)
}

// special reads what does not begin with an ordinary character.
func (l *lexer) special(run string) (piece, int, found) {
	r, _ := utf8.DecodeRuneInString(run)
	switch {
	case r == '`':
		return l.code()
	case r == '<':
		return l.angle()
	case r == '[' || r == '【' || r == '［':
		if p, n, is := l.marker(); is != nothing {
			return p, n, is
		}
		return l.link()
	case r == '(' || r == '（':
		if p, n, is := l.parenthesis(); is != nothing {
			return p, n, is
		}
	case strings.HasPrefix(run, "!["):
		return l.link()
	case strings.HasPrefix(run, `\[`):
		return l.escaped()
	case strings.HasPrefix(run, "]("):
		return piece{text: "] ("}, len("]("), something
	case superDigit(r) >= 0:
		return l.raised()
	}
	if addressStart(run) == 0 {
		return l.address(run)
	}
	return piece{}, 0, nothing
}

// address reads an address in running text.
func (l *lexer) address(run string) (piece, int, found) {
	n := addressEnd(run)
	text := run[:n]
	mail := bare(text)
	if mail == patterns().mail.FindString(mail) && mail != "" && !l.known.holds(text) { // renderers make a link of it
		return piece{text: l.quoted(mail, l.buf[n:])}, n, something
	}
	return piece{text: l.known.address(text)}, n, something
}

// quoted puts a word between backticks, so that no renderer finds a link or a tag in it. Where
// they might not pair or belong to a word, other signs replace what makes it one. next follows.
func (l *lexer) quoted(text, next string) string {
	alone := l.line == "" || strings.HasSuffix(l.line, " ")
	if alone && !l.unpaired && !strings.HasPrefix(next, "`") && !strings.Contains(text, "`") {
		return "`" + text + "`"
	}
	return strings.NewReplacer("@", " at ", "<", "‹", ">", "›").Replace(text)
}

// code reads code between backticks, which end on the same line.
func (l *lexer) code() (piece, int, found) {
	ticks := len(l.buf) - len(strings.TrimLeft(l.buf, "`"))
	if ticks == len(l.buf) && !l.last {
		return piece{}, 0, tooShort
	}
	window := l.buf[:min(len(l.buf), spanBytes)]
	line := strings.IndexByte(window, '\n')
	if line >= 0 {
		window = window[:line]
	}
	for at := ticks; at < len(window); {
		open := strings.IndexByte(window[at:], '`')
		if open < 0 {
			break
		}
		at += open
		run := len(window[at:]) - len(strings.TrimLeft(window[at:], "`"))
		if at+run == len(l.buf) && !l.last {
			return piece{}, 0, tooShort
		}
		if at += run; run == ticks {
			return piece{kind: isCode, text: l.checked(window[:at])}, at, something
		}
	}
	if line < 0 && !l.last && len(l.buf) < spanBytes {
		return piece{}, 0, tooShort
	}
	l.unpaired = true
	return piece{text: window[:ticks]}, ticks, something
}

// checked returns code as it stands. In a row of a table a renderer may end it at a bar, so
// addresses in it count as running text.
func (l *lexer) checked(code string) string {
	if strings.Contains(code, "|") || l.unpaired {
		return l.known.unlinked(code)
	}
	return code
}

// escaped reads a bracket behind a backslash: a marker, or the beginning of a formula.
func (l *lexer) escaped() (piece, int, found) {
	window := l.buf[:min(len(l.buf), markerBytes)]
	end := strings.Index(window, `\]`)
	if end < 0 {
		if !l.last && len(l.buf) < markerBytes && !strings.Contains(window, "\n") {
			return piece{}, 0, tooShort
		}
		return piece{text: `\[`}, 2, something
	}
	m, is := bracketed(window[1:end]+"]", true)
	if cites := m.naming(len(l.known.passages)); is == something && len(cites) > 0 && len(m.text) == end {
		return piece{kind: isMark, cites: cites}, end + 2, something
	}
	return piece{text: `\[`}, 2, something
}
