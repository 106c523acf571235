package plain

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
)

const (
	deeper     = 2   // columns that make a line an explanation of the line above it
	longTerm   = 100 // characters of a line that may be a term
	fits       = 4   // characters of a term that may fill the columns before its definition
	shortTerm  = 24  // characters of a term that has its definition on the same line
	longList   = 6   // spaces that a line of several terms does not have
	tabStop    = 8
	manyTerms  = 8  // more lines in a row are no terms of one entry
	usualPart  = 12 // one of so many lines has the usual indent, or more
	leastInset = 3  // columns of the text of a document that is written like a manual page
)

// Parse reads a text in UTF-8. Paragraphs stand between empty lines. Where a text is indented,
// as manual pages are, the indentation tells headings, terms, definitions and listings.
func Parse(source string) *doc.Document {
	p := parser{source: source, page: doc.NewSourceBuilder(0, source), lines: linesOf(source)}
	p.inset = p.usualIndent()
	p.columns = p.usualColumns()
	for from := 0; from < len(p.lines); {
		if p.lines[from].blank() {
			from++
			continue
		}
		to := from + 1
		for to < len(p.lines) && !p.lines[to].blank() {
			to++
		}
		p.block(from, to)
		from = to
	}
	d := &doc.Document{Pages: []doc.Page{p.page.Page()}}
	d.LeaveOut(doc.RunningHead, p.heads)
	return d
}

// line is a line of the source.
type line struct {
	start, end int // bytes of its text without the white space around it
	indent     int // columns before it
}

func (l *line) blank() bool { return l.start == l.end }

// linesOf cuts a text at line ends and form feeds.
func linesOf(source string) []line {
	var out []line
	for at := 0; at < len(source); {
		next := len(source)
		if i := strings.IndexAny(source[at:], "\n\f"); i >= 0 {
			next = at + i + 1
		}
		l := line{start: at, end: at}
		if text := strings.Trim(source[at:next], " \t\r\n\f"); text != "" {
			l.start = at + strings.Index(source[at:next], text)
			l.end = l.start + len(text)
			for _, r := range source[at:l.start] {
				if l.indent++; r == '\t' {
					l.indent += (tabStop - l.indent%tabStop) % tabStop
				}
			}
		}
		out = append(out, l)
		at = next
	}
	return out
}

// parser remembers what the present block belongs to.
type parser struct {
	source string
	page   *doc.Builder
	lines  []line
	inset  int // columns before the usual text; 0: the text is not indented

	name     string // of the manual page, as its head has it
	term     int    // indent of the open term; -1 without one
	opened   bool   // there is one
	before   int    // indent of the block before
	announce bool   // the block before ends with a colon
	heads    int    // characters of running heads
	listing  int    // indent of the listing before; 0 without one
	columns  map[column]int
}

// column is where entries of a text have their terms and their definitions.
type column struct{ term, definition int }

// usualIndent returns the smallest indent that a good part of the lines has, if the text is
// written like a manual page: indented, with headings at the margin.
func (p *parser) usualIndent() int {
	count, all := map[int]int{}, 0
	for i := range p.lines {
		if !p.lines[i].blank() {
			count[p.lines[i].indent]++
			all++
		}
	}
	best := 0
	for indent, n := range count {
		if indent >= leastInset && n*usualPart >= all && (best == 0 || indent < best) {
			best = indent
		}
	}
	if count[0] == 0 || count[0]*2 > all {
		return 0
	}
	return best
}

func (p *parser) text(i int) string { return p.source[p.lines[i].start:p.lines[i].end] }

func (p *parser) mark(kind doc.Kind, level, from, to int) {
	p.page.Mark(kind, level, p.lines[from].start, p.lines[to-1].end)
}

// block marks the lines from one up to another, which stand between empty lines.
func (p *parser) block(from, to int) {
	indent := p.lines[from].indent
	if p.opened && indent < p.term+deeper {
		p.opened = false
	}
	switch {
	case p.boxed(from, to):
		p.table(from, to)
	case p.listed(from, to):
		p.mark(doc.Code, 0, from, to)
		p.listing = indent
	default:
		p.prose(from, to)
		p.listing = 0
	}
	p.before = indent
	p.announce = strings.HasSuffix(p.text(to-1), ":")
}

// listed reports whether lines are a listing: they are indented below an announcement, or behind another
// listing, or they are indented more than the text and look like code.
func (p *parser) listed(from, to int) bool {
	indent := p.lines[from].indent
	if indent < p.inset+deeper || p.explains(from, to) || p.hanging(from, to) {
		return false
	}
	switch {
	case p.listing > 0 && indent >= p.listing, p.announce && indent > p.before:
		return true
	case indent <= p.before:
		return false
	}
	code := 0
	for i := from; i < to; i++ {
		if codeLine.MatchString(p.text(i)) {
			code++
		}
	}
	return 2*code >= to-from
}

// codeLine finds lines of programs and of terminals.
var codeLine = regexp.MustCompile(`^[$%#>] \S|[;{}](?:\s+#.*)?$|^\S+://\S+$|^"\S+://\S+"$|^[$@%]?\w[\w.\[\]{}'"]* = \S|^[\w.]+\([^()]*\)$|^</?\w+[^<>]*>`)

// prose marks headings, terms with their definitions, and running text.
func (p *parser) prose(from, to int) {
	for from < to {
		switch {
		case p.runningHead(from):
			p.heads += utf8.RuneCountInString(p.text(from))
			from++
		case p.underlined(from, to):
			p.mark(doc.Heading, underlineLevel(p.text(from+1)), from, from+1)
			p.opened = false
			from += 2
		case p.heading(from, to):
			end := from + 1
			if p.wraps(from, to) {
				end++
			}
			p.mark(doc.Heading, p.level(from), from, end)
			p.opened = false
			from = end
		case parse.ContentsLine(p.text(from)):
			p.mark(doc.Contents, 0, from, from+1)
			from++
		case p.hanging(from, to):
			from = p.shortEntry(from, to)
		case p.explains(from, to):
			from = p.entry(from, to)
		default:
			end := from + 1
			for end < to && !p.explains(end, to) && !p.hanging(end, to) && !p.underlined(end, to) && !parse.ContentsLine(p.text(end)) {
				end++
			}
			kind := doc.Paragraph
			if p.opened {
				kind = doc.Definition
			}
			p.mark(kind, p.definitionLevel(), from, end)
			from = end
		}
	}
}

func (p *parser) definitionLevel() int {
	if p.opened {
		return 1
	}
	return 0
}

// heading reports whether line i is a heading: it stands to the left of the usual text, with
// that text below it, or alone between empty lines and is short and without a full stop.
func (p *parser) heading(i, to int) bool {
	l := &p.lines[i]
	if p.inset > 0 {
		next := i + 1
		if p.wraps(i, to) {
			next++
		}
		for next < len(p.lines) && p.lines[next].blank() {
			next++
		}
		return l.indent < p.inset && titled(strings.TrimSuffix(p.text(i), "?")) && next < len(p.lines) && p.lines[next].indent > l.indent
	}
	return i+1 == to && (i == 0 || p.lines[i-1].blank()) && titled(p.text(i))
}

// wraps reports whether the heading on line i, which is none of the first level, has a second line.
func (p *parser) wraps(i, to int) bool {
	return i+1 < to && p.lines[i].indent > 0 && p.lines[i+1].indent >= p.lines[i].indent && p.lines[i+1].indent < p.inset
}

// underlined reports whether the line behind line i underlines it.
func (p *parser) underlined(i, to int) bool {
	return i+1 < to && p.lines[i].indent == p.lines[i+1].indent && len(p.text(i)) <= longTerm && underline.MatchString(p.text(i+1)) &&
		!underline.MatchString(p.text(i)) && utf8.RuneCountInString(p.text(i)) <= len(p.text(i+1))+deeper
}

var underline = regexp.MustCompile(`^(?:={3,}|-{3,}|~{3,}|\^{3,}|\*{3,})$`)

func underlineLevel(line string) int { return 1 + strings.IndexByte("=-~^*", line[0]) }

// runningHead reports whether line i is the head or foot of a manual page, such as
// "PACK(1)   User Commands   PACK(1)", which names the page and says nothing.
func (p *parser) runningHead(i int) bool {
	text := p.text(i)
	if p.inset == 0 || p.lines[i].indent > 0 || !strings.Contains(text, "  ") {
		return false
	}
	m := pageName.FindStringSubmatch(text)
	if m != nil && p.name == "" && strings.HasPrefix(text, m[1]) {
		p.name = m[1]
	}
	return m != nil && m[1] == p.name
}

// level returns 1 for a heading at the margin, 2 for any other.
func (p *parser) level(i int) int {
	if p.inset > 0 && p.lines[i].indent > 0 {
		return 2
	}
	return 1
}

// titled reports whether a line reads as a heading: it is short and ends without a mark.
func titled(text string) bool {
	return text != "" && len(text) <= 80 && strings.Count(text, " ") <= 10 && !strings.ContainsAny(text, "\t|") &&
		!strings.ContainsAny(text[len(text)-1:], ".,;:!?\"')")
}

// explains reports whether line i is a term: the line behind it, or behind further terms, is
// indented more.
func (p *parser) explains(i, to int) bool {
	indent := p.lines[i].indent
	for next := i + 1; next < min(to, i+manyTerms); next++ {
		above := p.text(next - 1)
		list := strings.HasSuffix(above, ",") && strings.Count(above, " ") < longList
		switch {
		case !list && !name(above):
			return false
		case p.lines[next].indent >= indent+deeper:
			return !list
		case p.lines[next].indent != indent || !list && !strings.HasPrefix(p.text(next), "-"):
			return false
		}
	}
	return false
}

// name reports whether a line can be a term: it is no sentence.
func name(text string) bool {
	return len(text) <= longTerm && !strings.ContainsAny(text[len(text)-1:], ".,;:!{}") && !bullet.MatchString(text)
}

// entry marks the terms from line i on and what explains them, and returns the line behind it.
func (p *parser) entry(i, to int) int {
	indent := p.lines[i].indent
	for ; p.lines[i].indent == indent; i++ {
		p.page.Mark(doc.Term, 1, p.lines[i].start, p.lines[i].start+len(strings.TrimSuffix(p.text(i), ",")))
	}
	end := i
	for end < to && p.lines[end].indent >= indent+deeper {
		end++
	}
	p.mark(doc.Definition, 1, i, end)
	p.term, p.opened = indent, true
	return end
}

var (
	pageName = regexp.MustCompile(`\s([^\s()]+\(\d\w*\))$`)
	bullet   = regexp.MustCompile(`^(?:[-*+•◦▪●○o]|\(?\d{1,3}[.)])\s`)
	// tagged finds a term that has its definition on the same line, behind two columns or more.
	tagged = regexp.MustCompile(`^([-+$@%/\w][^\s]*(?: [^\s]+)?)\s{2,}\S`)
)

// usualColumns counts the columns of the entries whose definition begins below the term.
func (p *parser) usualColumns() map[column]int {
	count := map[column]int{}
	for i := 0; i+1 < len(p.lines) && p.inset > 0; i++ {
		l, next := &p.lines[i], &p.lines[i+1]
		if !l.blank() && !next.blank() && next.indent >= l.indent+deeper && name(p.text(i)) {
			count[column{l.indent, next.indent}]++
		}
	}
	return count
}

// hanging reports whether line i of an indented text begins with a short term and, in the column of the
// definition, its definition.
func (p *parser) hanging(i, to int) bool { return p.hangs(i, to) > 0 }

// hangs returns how many bytes the term has that stands on line i before its definition, 0 if there is none.
func (p *parser) hangs(i, to int) int {
	text := p.text(i)
	if p.inset == 0 || strings.Contains(text, "\t") {
		return 0
	}
	if m := tagged.FindStringSubmatchIndex(text); m != nil && utf8.RuneCountInString(text[:m[3]]) <= shortTerm {
		at := p.lines[i].indent + utf8.RuneCountInString(text[:m[1]]) - 1
		if i+1 < to && p.lines[i+1].indent == at || strings.HasPrefix(text, "-") && i+1 == to || p.columns[column{p.lines[i].indent, at}] > 1 {
			return m[3]
		}
	}
	// A term that just fits has one space behind it.
	end := strings.IndexByte(text, ' ')
	at := p.lines[i].indent + utf8.RuneCountInString(text[:max(end, 0)]) + 1
	if end >= fits && name(text[:end]) && i+1 < to && p.lines[i+1].indent == at && p.columns[column{p.lines[i].indent, at}] > 1 {
		return end
	}
	return 0
}

// shortEntry marks the term on line i and its definition, and returns the line behind it.
func (p *parser) shortEntry(i, to int) int {
	l, text := &p.lines[i], p.text(i)
	end := p.hangs(i, to)
	start := end + len(text[end:]) - len(strings.TrimLeft(text[end:], " "))
	p.page.Mark(doc.Term, 1, l.start, l.start+end)
	at, below := l.indent+utf8.RuneCountInString(text[:start]), i+1
	for below < to && p.lines[below].indent >= at {
		below++
	}
	p.page.Mark(doc.Definition, 1, l.start+start, p.lines[below-1].end)
	p.term, p.opened = l.indent, true
	return below
}
