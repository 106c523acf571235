package grounded

import (
	"strings"
	"unicode/utf8"
)

// marker reads a marker in square brackets.
func (l *lexer) marker() (piece, int, found) {
	m, is := bracketed(l.buf, l.last)
	if is != something {
		return piece{}, 0, is
	}
	if m.after == "" && !l.last {
		return piece{}, 0, tooShort
	}
	cites, passages := m.naming(len(l.known.passages)), len(l.known.passages)
	lineStart := strings.TrimSpace(l.line) == ""
	literal := len(m.numbers) == 0 || !m.named && (m.numbers[0] == 0 || l.known.index(l.word, &m))
	switch {
	case literal:
	case m.spread:
		literal = m.numbers[0] < 1 || m.numbers[len(m.numbers)-1] > passages || l.known.has(m.text)
	case m.named:
		literal = !strings.Contains(m.text, "†") && l.known.has(m.text)
	default:
		literal = l.known.ownReference(l.line, m.text, m.numbers[0])
	}
	if strings.HasPrefix(m.text, "【") && !m.named && lineStart && !strings.HasPrefix(m.after, "\n") && m.after != "" || lineStart && len(cites) == 0 && !m.named {
		literal = true // it counts a list
	}
	if literal {
		return l.literal(m.text)
	}
	n := len(m.text)
	if strings.HasPrefix(m.after, "(") && m.text[0] == '[' { // the marker is written as a link
		end, is := l.target(n)
		if is == tooShort {
			return piece{}, 0, tooShort
		}
		n = max(n, end)
	}
	return piece{kind: isMark, text: m.text, cites: cites}, n, something
}

// literal reads a bracket that is no marker. A link must not follow from it.
func (l *lexer) literal(text string) (piece, int, found) {
	if strings.HasPrefix(l.buf[len(text):], "(") {
		_, size := utf8.DecodeRuneInString(text)
		return piece{text: text[:size]}, size, something // the rest is read as words: "](" is divided there
	}
	return piece{text: text}, len(text), something
}

// parenthesis reads a marker in parentheses. A number alone in them is one only behind a
// statement, in front of its full stop or of the end of a line: "(1) Open the lid" counts.
func (l *lexer) parenthesis() (piece, int, found) {
	m, is := bracketed(l.buf, l.last)
	if is != something {
		return piece{}, 0, is
	}
	if m.after == "" && !l.last {
		return piece{}, 0, tooShort
	}
	cites := m.naming(len(l.known.passages))
	if m.named {
		if len(cites) == 0 || l.known.has(m.text) {
			return piece{}, 0, nothing
		}
		return piece{kind: isMark, text: m.text, cites: cites}, len(m.text), something
	}
	next := strings.TrimLeft(m.after, " ")
	if next == "" && !l.last {
		return piece{}, 0, tooShort
	}
	endsLine := next == "" || next[0] == '\n' || next[0] == '\r'
	fullWidth := strings.HasPrefix(m.text, "（")
	switch {
	case len(cites) != len(m.numbers) || l.numbered || l.known.has(m.text) || l.atLineStart():
	case l.word != "" && !fullWidth:
	case strings.HasSuffix(l.previous, ".") && !endsLine:
	case len(m.numbers) == 1 && numeral(l.previous, m.numbers[0]):
	case endsLine || strings.ContainsAny(next[:1], ".,;:!?") || strings.HasPrefix(next, "。") || strings.HasPrefix(next, "，"):
		return piece{kind: isMark, text: m.text, cites: cites}, len(m.text), something
	}
	l.numbered = true
	return piece{}, 0, nothing
}

// raised reads a number in small raised digits.
func (l *lexer) raised() (piece, int, found) {
	m := superscript(l.buf)
	if m.after == "" && !l.last {
		return piece{}, 0, tooShort
	}
	return l.footnote(m)
}

// footnote reads a raised number: a marker behind a word or a full stop, an exponent behind a
// number or a unit.
func (l *lexer) footnote(m mark) (piece, int, found) {
	cites, passages := m.naming(len(l.known.passages)), len(l.known.passages)
	if len(cites) == 0 && len(m.numbers) == 1 && m.numbers[0] > 9 { // two numbers without anything between
		split := mark{}
		for n := m.numbers[0]; n > 0; n /= 10 {
			split.numbers = append([]int{n % 10}, split.numbers...)
		}
		if cites = split.naming(passages); len(cites) == len(split.numbers) {
			m.numbers = split.numbers
		}
	}
	next, _ := utf8.DecodeRuneInString(m.after)
	literal := len(cites) == 0 || len(cites) != len(m.numbers) || l.word == "" && l.atLineStart() || exponent(l.word) ||
		strings.ContainsRune("⁺⁻⁽⁾ⁿ", next) || l.word != "" && l.known.has(tail(l.word, 12)+m.text)
	if literal {
		return piece{text: m.text}, len(m.text), something
	}
	return piece{kind: isMark, text: m.text, cites: cites}, len(m.text), something
}

// target returns the end of the target of a link whose "(" stands at place at in the buffer.
func (l *lexer) target(at int) (end int, is found) {
	window := l.buf[at:min(len(l.buf), at+spanBytes)]
	depth := 0
	for i := range len(window) {
		switch window[i] {
		case '\n':
			return 0, nothing
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return at + i + 1, something
			}
		}
	}
	if !l.last && len(window) < spanBytes {
		return 0, tooShort
	}
	return 0, nothing
}

// link reads a link or an image of Markdown, and returns its text with its target behind it in
// parentheses: a target that the reader does not see is none. A target of another page of the
// reader's own is dropped.
func (l *lexer) link() (piece, int, found) {
	open := strings.IndexByte(l.buf[:min(len(l.buf), 2)], '[')
	if open < 0 { // a bracket of another script
		return piece{}, 0, nothing
	}
	window := l.buf[:min(len(l.buf), spanBytes)]
	closed := closing(window, open)
	switch line := strings.IndexByte(window, '\n'); {
	case closed >= 0 && (line < 0 || closed < line):
	case line < 0 && !l.last && len(l.buf) < spanBytes:
		return piece{}, 0, tooShort
	default:
		return piece{text: l.buf[:open+1]}, open + 1, something
	}
	if closed+1 == len(l.buf) && !l.last {
		return piece{}, 0, tooShort
	}
	if !strings.HasPrefix(l.buf[closed+1:], "(") {
		return piece{text: l.buf[:open+1]}, open + 1, something
	}
	end, is := l.target(closed + 1)
	if is != something || strings.Contains(l.buf[:closed], "`") {
		if is == tooShort {
			return piece{}, 0, tooShort
		}
		return piece{text: l.buf[:open+1]}, open + 1, something
	}
	return piece{text: l.dissolved(l.buf[open+1:closed], l.buf[closed+2:end-1])}, end, something
}

// closing returns the place of the bracket that closes the one at place open, -1 if none does.
func closing(text string, open int) int {
	depth := 0
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// dissolved returns a link as running text.
func (l *lexer) dissolved(text, target string) string {
	target, _, _ = strings.Cut(strings.Trim(strings.TrimSpace(target), "<>"), " ")
	text = l.known.unlinked(strings.NewReplacer("](", "] (", "![", "[", "<", "‹", ">", "›").Replace(text))
	if addressStart(target) != 0 || addressEnd(target) != len(target) || bare(target) == bare(text) {
		return text
	}
	target = l.known.unlinked(target)
	if text == "" {
		return target
	}
	return text + " (" + target + ")"
}
