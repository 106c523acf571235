package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
)

// sizes tells a document's type sizes: that of the running text and the larger or
// otherwise different ones that headings have.
type sizes struct {
	body     float64
	headings []float64 // from the largest
}

func measure(pages []page) sizes {
	letters := map[float64]int{}
	for i := range pages {
		for j := range pages[i].lines {
			l := &pages[i].lines[j]
			letters[round(l.height())] += chars(l)
		}
	}
	var s sizes
	for h, n := range letters {
		if n > letters[s.body] || n == letters[s.body] && h < s.body {
			s.body = h
		}
	}
	for h, n := range letters {
		if h > s.body*1.12 && n > 0 {
			s.headings = append(s.headings, h)
		}
	}
	slices.SortFunc(s.headings, func(a, b float64) int { return compare(b, a) })
	return s
}

func round(h float64) float64 { return math.Round(h*2) / 2 }

func chars(l *line) int {
	n := 0
	for _, w := range l.words {
		n += len(w.text)
	}
	return n
}

// level is the depth of a heading of height h: 1 to 3 by size, 4 for a size that
// differs from the running text otherwise, 0 for the running text itself.
func (s sizes) level(h float64) int {
	h = round(h)
	for i, size := range s.headings {
		if near(size, h, 0.3) {
			return min(1+i, 3)
		}
	}
	if near(h, s.body, s.body*0.06) {
		return 0
	}
	return 4
}

// paragraph collects the lines of one block of running text.
type paragraph struct {
	lines  []*line
	kind   doc.Kind
	level  int
	height float64
	right  float64 // where the widest line ends
}

// paragraphs cuts lines, which poppler gave in reading order, into blocks.
func (s sizes) paragraphs(lines []*line) []paragraph {
	var out []paragraph
	for i, l := range lines {
		if n := len(out); n > 0 && s.continues(&out[n-1], lines, i) {
			out[n-1].lines, out[n-1].right = append(out[n-1].lines, l), max(out[n-1].right, l.right)
			continue
		}
		kind := doc.Paragraph
		switch {
		case parse.ContentsLine(text(l.words)):
			kind = doc.Contents
		case bullet(l):
			kind = doc.ListItem
		}
		p := paragraph{lines: []*line{l}, kind: kind, height: l.height(), right: l.right}
		if kind == doc.ListItem {
			p.level = 1
		}
		out = append(out, p)
	}
	for i := range out {
		if out[i].kind == doc.Paragraph {
			s.heading(&out[i], i+1 < len(out) && len(out[i+1].lines) > 0)
		}
	}
	return out
}

// continues tells whether line i goes on with the paragraph before it.
func (s sizes) continues(p *paragraph, lines []*line, i int) bool {
	l, last := lines[i], lines[i-1]
	if bullet(l) && !midSentence(last, l) || p.kind == doc.Contents || parse.ContentsLine(text(l.words)) || !near(l.height(), last.height(), 0.12*last.height()) {
		return false
	}
	if l.block != last.block {
		return open(last) && startsLower(l) && len(last.words) > 4
	}
	if gap := l.top - last.bottom; gap > 0.9*l.height() {
		return false
	}
	// a line that ends early, after a full stop, closes its paragraph
	short := last.right < p.right-0.15*(p.right-last.left)
	return !short || len(p.lines) == 1 || !closed(last) || startsLower(l)
}

// midSentence reports whether a line that begins like an item goes on with the sentence of the line above: "in", "5. The".
func midSentence(last, l *line) bool {
	return numbered(l.words[0].text) && !closed(last) && near(last.left, l.left, aligned) && l.top-last.bottom < 0.5*l.height() && len(last.words) > 4
}

// heading makes a short paragraph that stands out a heading.
func (s sizes) heading(p *paragraph, followed bool) {
	words, last := 0, p.lines[len(p.lines)-1]
	for _, l := range p.lines {
		words += len(l.words)
	}
	if len(p.lines) > 3 || words > 20 || !startsUpper(p.lines[0]) || !followed {
		return
	}
	level := s.level(p.height)
	switch {
	case level > 0 && level < 4 && !strings.HasSuffix(lastText(last), ","):
		p.kind, p.level = doc.Heading, level
	case level == 4 && words <= 12 && !closed(last):
		p.kind, p.level = doc.Heading, level
	case level == 0 && len(p.lines) == 1 && words <= 10 && (!closed(last) || strings.HasSuffix(lastText(last), "?")) && titled(p.lines[0]):
		p.kind, p.level = doc.Heading, 5
	}
}

// titled tells whether most long words of a line begin with a capital letter, or it
// is a question.
func titled(l *line) bool {
	if strings.HasSuffix(lastText(l), "?") {
		return true
	}
	upper, all := 0, 0
	for _, w := range l.words {
		r, _ := utf8.DecodeRuneInString(w.text)
		if len(w.text) < 4 || !unicode.IsLetter(r) {
			continue
		}
		all++
		if unicode.IsUpper(r) {
			upper++
		}
	}
	return all > 0 && upper*4 >= all*3
}

func lastText(l *line) string { return l.words[len(l.words)-1].text }

// closed tells whether a line ends like a sentence.
func closed(l *line) bool {
	t := strings.TrimRight(lastText(l), "\"')”’")
	return t == "" || strings.ContainsRune(".!?;,:", rune(t[len(t)-1]))
}

// open tells whether a line breaks off inside a sentence.
func open(l *line) bool { return !closed(l) || strings.HasSuffix(lastText(l), ",") }

func startsLower(l *line) bool {
	r, _ := utf8.DecodeRuneInString(l.words[0].text)
	return unicode.IsLower(r)
}

func startsUpper(l *line) bool {
	r, _ := utf8.DecodeRuneInString(l.words[0].text)
	return unicode.IsUpper(r) || unicode.IsDigit(r)
}

// bullet tells whether a line begins a list item.
func bullet(l *line) bool {
	switch l.words[0].text {
	case "•", "\uf0b7", "\uf0a7", "\uf0d8", "\uf0a8", "◦", "▪", "●", "○", "■", "–", "-", "*", "➢", "✓", "o":
		return true
	}
	return strings.HasPrefix(l.words[0].text, "•") || numbered(l.words[0].text) && len(l.words) > 1
}

// numbered tells whether w numbers an item: "1.", "(a)", "iv)".
func numbered(w string) bool {
	if len(w) < 2 || len(w) > 5 {
		return false
	}
	core := strings.TrimLeft(strings.TrimRight(w, ".)"), "(")
	if core == "" || len(core) > 3 || core == w || strings.HasPrefix(w, "(") && !strings.HasSuffix(w, ")") {
		return false
	}
	for _, r := range core {
		if !unicode.IsDigit(r) && !strings.ContainsRune("ivx", r) && len(core) > 1 {
			return false
		}
	}
	return true
}
