package grounded

import "strings"

// atLineStart tells whether only the marks of lists and quotations stand before on the line.
func (l *lexer) atLineStart() bool {
	mark := strings.Trim(l.line, " \t\r>")
	return mark == "" || listMark(mark) && !strings.HasSuffix(l.line, mark)
}

// listMark tells whether a text is the mark of a list item.
func listMark(text string) bool {
	if text == "-" || text == "*" || text == "+" {
		return true
	}
	digits := strings.TrimRight(text, ".)")
	return len(digits) == len(text)-1 && digits != "" && len(digits) <= 3 && strings.Trim(digits, "0123456789") == ""
}

// lineStart reads what only the beginning of a line can hold: a fence, the word for no answer,
// the definition of a link, markers alone.
func (l *lexer) lineStart() (piece, int, found) {
	if strings.TrimSpace(l.line) == "" {
		if p, n, is := l.refusal(); is != nothing {
			return p, n, is
		}
	}
	if strings.HasPrefix(l.buf, "```") || strings.HasPrefix(l.buf, "~~~") {
		if p, n, is := l.openFence(); is != nothing {
			return p, n, is
		}
	}
	if l.buf[0] == '[' {
		return l.bracketLine()
	}
	return piece{}, 0, nothing
}

// wholeLine returns the rest of the line; ok is false if its end has not come.
func (l *lexer) wholeLine() (line string, ok bool) {
	if at := strings.IndexByte(l.buf, '\n'); at >= 0 {
		return l.buf[:at], true
	}
	return l.buf, l.last
}

// openFence reads the first line of a fenced block.
func (l *lexer) openFence() (piece, int, found) {
	line, ok := l.wholeLine()
	if !ok {
		return piece{}, 0, tooShort
	}
	mark := line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
	if line[0] == '`' && strings.Contains(line[len(mark):], "`") {
		return piece{}, 0, nothing // code between backticks
	}
	l.fence, l.margin = mark, l.line
	n := min(len(line)+1, len(l.buf))
	return piece{kind: isListing, text: l.buf[:n]}, n, something
}

// listing reads a line of a fenced block.
func (l *lexer) listing() (piece, int) {
	line, ok := l.wholeLine()
	if !ok {
		return piece{}, 0
	}
	trimmed := strings.TrimLeft(line, " \t>")
	if rest := strings.TrimLeft(trimmed, l.fence[:1]); len(trimmed)-len(rest) >= len(l.fence) && strings.TrimSpace(rest) == "" {
		l.fence = ""
		if line == "" {
			return piece{}, 0
		}
		return piece{kind: isListing, text: line}, len(line)
	}
	blank := strings.TrimSpace(line) == ""
	if l.outside(line, blank) {
		l.fence = ""
		return l.run()
	}
	n := min(len(line)+1, len(l.buf))
	text := l.buf[:n]
	if !blank && (strings.TrimSpace(l.margin) != "" || !strings.HasPrefix(line, l.margin)) {
		text = l.known.unlinked(text) // the block may be over for a renderer, as its list or quotation is
	}
	return piece{kind: isListing, text: text}, n
}

// outside tells whether a line stands outside of the quotation or the list item that the fenced
// block stands in, which ends the block.
func (l *lexer) outside(line string, blank bool) bool {
	switch {
	case strings.Contains(l.margin, ">"):
		return !strings.HasPrefix(strings.TrimLeft(line, " "), ">")
	case strings.TrimSpace(l.margin) == "" || blank:
		return false
	}
	return len(line)-len(strings.TrimLeft(line, " ")) < len(l.margin)
}

// bracketLine reads a bracket at the beginning of a line.
func (l *lexer) bracketLine() (piece, int, found) {
	line, whole := l.wholeLine()
	if len(line) > spanBytes {
		line, whole = line[:spanBytes], true
	}
	closed := strings.IndexByte(line, ']')
	if closed < 0 || closed == len(line)-1 {
		if !whole {
			return piece{}, 0, tooShort
		}
	} else if line[closed+1] == ':' {
		return l.definition(closed)
	}
	if strings.Trim(line, " \t\r[]^0123456789,;-–") != "" {
		return piece{}, 0, nothing
	}
	if !whole {
		return piece{}, 0, tooShort
	}
	m, is := bracketed(l.buf, l.last)
	if cites := m.naming(len(l.known.passages)); is == something && len(cites) > 0 {
		return piece{kind: isMark, cites: cites, alone: true}, len(m.text), something
	}
	return piece{}, 0, nothing
}

// definition reads the beginning of a line that Markdown reads as the target of links: with a
// space before the colon it is running text. at is the place of "]:".
func (l *lexer) definition(at int) (piece, int, found) {
	m, is := bracketed(l.buf[:at+1], true)
	if cites := m.naming(len(l.known.passages)); is == something && len(cites) > 0 {
		return piece{kind: isMark, cites: cites}, at + 2, something
	}
	label := l.known.unlinked(strings.NewReplacer("<", "‹", "`", "'").Replace(l.buf[:at]))
	return piece{text: label + "] :"}, at + 2, something
}

// lineMarks may stand around the word for no answer.
const lineMarks = " \t\r>*_\"'“”„«»‘’`()[]{}#-–|.:!,;。"

// refusal reads a line that says that there is no answer in the way that the prompt asks for, in
// upper or lower case and with any marks around it.
func (l *lexer) refusal() (piece, int, found) {
	rest := strings.TrimLeft(l.buf, lineMarks)
	folded := strings.ToLower(rest[:min(len(rest), len(noAnswer))])
	for _, word := range []string{"no_answer", "no answer", "no-answer", "noanswer"} {
		if len(folded) < len(word) && strings.HasPrefix(word, folded) && !l.last {
			return piece{}, 0, tooShort
		}
		if !strings.HasPrefix(folded, word) {
			continue
		}
		line, whole := l.wholeLine()
		long := len(line) > len(noAnswer)+markerBytes
		switch rest := strings.Trim(line, lineMarks)[len(word):]; {
		case word != "no_answer" && (long || whole && rest != ""):
			return piece{}, 0, nothing
		case !whole:
			return piece{}, 0, tooShort
		case rest != "" && alphanumeric(rune(rest[0])):
			return piece{}, 0, nothing
		}
		return piece{kind: isRefusal}, len(line), something
	}
	return piece{}, 0, nothing
}
