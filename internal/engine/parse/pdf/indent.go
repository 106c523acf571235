package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"docqa/internal/engine/doc"
)

const (
	aligned     = 1.5   // points by which lines of one column differ
	hangs       = 6.0   // points that a definition is indented more than its term
	wordsOfTerm = 8     // more are no term
	usualEntry  = 3     // entries that must begin in the same columns, if nothing else tells
	sameWidth   = 0.005 // by which the widths of letters differ in type of one width
	rounding    = 0.02  // points that a width is not exact
	wideSpace   = 1.8   // times the space between the words of a line that stands between term and definition
	linesOfCode = 3     // lines in type of one width that tell its letters
	mostlyCode  = 0.5   // of the letters in type of one width: it is the type of the text
	manualInset = 10.0  // points that the text of a manual page is indented
)

// layout is what the indentation of a document's lines means.
type layout struct {
	columns map[columns]int // how often an entry begins so
	manual  float64         // where the headings of a text that is indented begin; 0 if it is not indented
	letter  float64         // width of a letter in listings, 0 without any
}

// columns are where a term and its definition begin, in points.
type columns struct{ term, definition int }

func at(term, definition float64) columns {
	return columns{int(math.Round(term)), int(math.Round(definition))}
}

// findLayout measures the indentation of a document.
func findLayout(pages []page) layout {
	o := layout{columns: map[columns]int{}, letter: listingLetter(pages)}
	lefts, all := map[int]int{}, 0
	for i := range pages {
		p := &pages[i]
		rows := visualRows(p)
		for j, r := range rows {
			first := &p.lines[r.cells[0]]
			lefts[int(math.Round(first.left))]++
			all++
			if j+1 < len(rows) && r.entryLike(p) {
				o.count(p, r, rows[j+1])
			}
		}
	}
	body, least := 0, 0
	for x, n := range lefts {
		if n > lefts[body] || n == lefts[body] && x < body {
			body = x
		}
		if n >= 2 && n*100 >= all && (least == 0 || x < least) {
			least = x
		}
	}
	if least > 0 && float64(body-least) >= manualInset && lefts[least]*4 <= all {
		o.manual = float64(least)
	}
	return o
}

// count adds the columns of a row that may begin an entry.
func (o *layout) count(p *page, r, next row) {
	first, below := &p.lines[r.cells[0]], p.lines[next.cells[0]].left
	switch {
	case len(r.cells) == 2 && (near(p.lines[r.cells[1]].left, below, aligned) || r.sameColumns(p, next)):
		o.columns[at(first.left, p.lines[r.cells[1]].left)]++
	case len(r.cells) == 1 && len(first.words) <= wordsOfTerm && below >= first.left+hangs && next.top-r.bottom < r.bottom-r.top:
		o.columns[at(first.left, below)]++
	}
}

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// sameColumns reports whether two rows of two texts begin in the same columns.
func (r row) sameColumns(p *page, next row) bool {
	return len(next.cells) == 2 && next.entryLike(p) && near(p.lines[r.cells[0]].left, p.lines[next.cells[0]].left, aligned) &&
		near(p.lines[r.cells[1]].left, p.lines[next.cells[1]].left, aligned) && len(p.lines[r.cells[1]].words) > 2 && len(p.lines[next.cells[1]].words) > 2
}

// entryLike reports whether a row can begin an entry: a short text, alone or with one other text that is no figure.
func (r row) entryLike(p *page) bool {
	first := &p.lines[r.cells[0]]
	if len(r.cells) > 2 || bullet(first) || !strings.ContainsFunc(first.words[0].text, letterOrDigit) && len(first.words) == 1 {
		return false
	}
	if len(r.cells) == 2 {
		second := p.lines[r.cells[1]].words
		return len(first.words) <= wordsOfTerm && figures(second) < len(second)
	}
	return true
}

// usual reports whether entries often begin in these columns.
func (o *layout) usual(term, definition float64) bool {
	n := 0
	for a := -1.0; a <= 1; a++ {
		for b := -1.0; b <= 1; b++ {
			n += o.columns[at(term+a, definition+b)]
		}
	}
	return n >= usualEntry
}

// listingLetter returns the width of a letter in listings: lines in type of one width, if not all of the text has it.
func listingLetter(pages []page) float64 {
	widths, lines, one, all := map[int]int{}, map[int]int{}, 0, 0
	for i := range pages {
		for j := range pages[i].lines {
			l := &pages[i].lines[j]
			n := chars(l)
			all += n
			if l.oneWidth() && len(l.words) > 2 {
				widths[int(math.Round(l.wide*20))] += n
				lines[int(math.Round(l.wide*20))]++
				one += n
			}
		}
	}
	best := 0
	for w, n := range widths {
		if n > widths[best] || n == widths[best] && w < best {
			best = w
		}
	}
	if lines[best] < linesOfCode || float64(one) >= mostlyCode*float64(all) {
		return 0
	}
	return float64(best) / 20
}

func (l *line) oneWidth() bool { return l.wide > 0 && l.wide-l.narrow <= rounding+sameWidth*l.wide }

// listing reports whether a line is set in the type of listings.
func (o *layout) listing(l *line) bool {
	return o.letter > 0 && l.oneWidth() && near(l.wide, o.letter, 0.026+rounding)
}

// term returns the term and the beginning of the definition of the entry that row i begins; definition is nil where
// it begins on the next row. ok is false where no entry begins.
func (o *layout) term(p *page, rows []row, i int) (term, definition *line, column float64, ok bool) {
	r := rows[i]
	if !r.entryLike(p) || o.atMargin(p, r) {
		return nil, nil, 0, false
	}
	first := &p.lines[r.cells[0]]
	below := -1.0
	if i+1 < len(rows) && rows[i+1].top-r.bottom < r.bottom-r.top {
		below = p.lines[rows[i+1].cells[0]].left
	}
	if len(r.cells) == 2 {
		second := &p.lines[r.cells[1]]
		if near(second.left, below, aligned) || o.usual(first.left, second.left) {
			return first, second, second.left, true
		}
		return nil, nil, 0, false
	}
	if k := o.parted(p, rows, i, below); k > 0 {
		head, tail := first.cut(k)
		return head, tail, tail.left, true
	}
	if below >= first.left+hangs && len(first.words) <= wordsOfTerm && !closed(first) && o.usual(first.left, below) {
		return first, nil, below, true
	}
	return nil, nil, 0, false
}

// parted returns how many words of a row of one line are a term with its definition behind it: the word after them
// begins in the column of the line below, or in a usual one, behind more than a space or in the first line of a paragraph.
func (o *layout) parted(p *page, rows []row, i int, below float64) int {
	l := &p.lines[rows[i].cells[0]]
	space := l.space()
	for k := 1; k < len(l.words) && k <= wordsOfTerm; k++ {
		x := float64(l.words[k].left)
		if x < l.left+hangs || !o.usual(l.left, x) {
			continue
		}
		wide := float64(l.words[k].left-l.words[k-1].right) > wideSpace*space
		switch {
		case wide && (below < 0 || near(x, below, aligned) || near(l.left, below, aligned)),
			near(x, below, 0.5) && firstLine(p, rows, i), below < 0 && firstLine(p, rows, i) && strings.HasPrefix(l.words[0].text, "-"):
			return k
		}
	}
	return 0
}

// space is the least space between the words of a line.
func (l *line) space() float64 {
	least := l.height()
	for k := 1; k < len(l.words); k++ {
		least = min(least, float64(l.words[k].left-l.words[k-1].right))
	}
	return max(least, 1)
}

// firstLine reports whether a row begins a paragraph: more than the space of a line stands above it, or a line
// that is indented more.
func firstLine(p *page, rows []row, i int) bool {
	if i == 0 {
		return true
	}
	r, above := rows[i], rows[i-1]
	return r.top-above.bottom > 0.4*(r.bottom-r.top) || p.lines[above.cells[0]].left > p.lines[r.cells[0]].left+hangs
}

// cut makes two lines of one.
func (l *line) cut(k int) (head, tail *line) {
	a, b := *l, *l
	a.words, b.words = l.words[:k:k], l.words[k:]
	b.left = float64(b.words[0].left)
	a.right = b.left
	return &a, &b
}

// atMargin reports whether a row stands where a manual page has its headings.
func (o *layout) atMargin(p *page, r row) bool {
	return o.manual > 0 && p.lines[r.cells[0]].left < o.manual+manualInset-aligned
}

// title reports whether row i is a heading of a manual page: it stands at the margin, with the text below it.
func (o *layout) title(p *page, rows []row, i int) bool {
	r := rows[i]
	if !o.atMargin(p, r) || len(r.cells) > 1 || i+1 == len(rows) {
		return false
	}
	l := &p.lines[r.cells[0]]
	return len(l.words) <= wordsOfTerm && !closed(l) && startsTitle(l) && p.lines[rows[i+1].cells[0]].left > l.left+aligned
}

func startsTitle(l *line) bool {
	r := []rune(l.words[0].text)[0]
	return unicode.IsUpper(r) || unicode.IsDigit(r)
}

// indented writes a page by the indentation of its rows: headings, entries, listings; what is none of them as text or tables.
type indented struct {
	w     writer
	b     *doc.Builder
	page  *page
	open  []float64 // columns of the open definitions
	lines []*line   // of the open definition, listing or text
	code  bool      // the lines are a listing
	block int       // counts the definitions
}

func (x *indented) write(rows []row) {
	o := &x.w.layout
	written := 0
	for i, r := range rows {
		if i < written {
			continue
		}
		first := &x.page.lines[r.cells[0]]
		if x.listing(r) && !x.names(rows, i) {
			x.begin(true)
			x.take(r)
			continue
		}
		x.begin(false)
		for len(x.open) > 0 && first.left < x.open[len(x.open)-1]-aligned {
			x.flush()
			x.open = x.open[:len(x.open)-1]
		}
		if o.title(x.page, rows, i) {
			x.flush()
			x.b.Add(doc.Heading, 1+min(int((first.left-o.manual)/aligned), 1), text(first.words))
			continue
		}
		term, definition, column, ok := o.term(x.page, rows, i)
		if !ok {
			x.take(r)
			continue
		}
		x.flush()
		if definition != nil && len(term.words) == 1 && (numbered(term.words[0].text) || strings.Trim(term.words[0].text, "0123456789.") == "") {
			definition.words = append(slices.Clone(term.words), definition.words...)
			lines := x.item(definition, rows[i:])
			x.b.Add(doc.ListItem, 1, x.w.flow(lines))
			written = i + len(lines)
			continue
		}
		x.b.Add(doc.Term, x.level()+1, text(term.words))
		x.open = append(x.open, column)
		if definition != nil {
			x.lines = append(x.lines, definition)
		}
	}
	x.flush()
}

// item returns the lines of a list item: its first line and those of the rows below it in its column.
func (x *indented) item(first *line, rows []row) []*line {
	lines := []*line{first}
	for i := 1; i < len(rows); i++ {
		l := &x.page.lines[rows[i].cells[0]]
		if len(rows[i].cells) > 1 || !near(l.left, first.left, aligned) || rows[i].top-rows[i-1].bottom > 0.9*l.height() {
			break
		}
		lines = append(lines, l)
	}
	return lines
}

// level is the depth of the open definition.
func (x *indented) level() int { return min(len(x.open), doc.MaxLevel-1) }

// listing reports whether a row is part of a listing.
func (x *indented) listing(r row) bool {
	for _, c := range r.cells {
		if !x.w.layout.listing(&x.page.lines[c]) {
			return false
		}
	}
	return true
}

// names reports whether row i, which is set like a listing, is a term: it stands alone and what is below it is no listing.
func (x *indented) names(rows []row, i int) bool {
	if x.code && len(x.lines) > 0 || i+1 == len(rows) || x.listing(rows[i+1]) {
		return false
	}
	_, definition, _, ok := x.w.layout.term(x.page, rows, i)
	return ok && definition == nil || x.w.layout.title(x.page, rows, i)
}

// begin ends a listing or what is none.
func (x *indented) begin(code bool) {
	if x.code != code {
		x.flush()
		x.code = code
	}
}

func (x *indented) take(r row) {
	for _, c := range r.cells {
		x.lines = append(x.lines, &x.page.lines[c])
	}
}

// flush writes the open lines.
func (x *indented) flush() {
	lines := x.lines
	x.lines = nil
	switch {
	case len(lines) == 0:
	case x.code:
		x.b.Add(doc.Code, 0, x.w.layout.code(lines))
	case len(x.open) > 0:
		x.block--
		for _, l := range lines {
			l.block = x.block // what poppler took for blocks are the parts of one definition
		}
		for _, p := range x.w.sizes.paragraphs(lines) {
			if p.kind == doc.Paragraph || p.kind == doc.Heading {
				p.kind, p.level = doc.Definition, x.level()
			}
			x.b.Add(p.kind, p.level, x.w.flow(p.lines))
		}
	default:
		x.text(lines)
	}
}

// text writes lines outside of entries and listings, in poppler's order.
func (x *indented) text(lines []*line) {
	part := page{number: x.page.number, width: x.page.width, height: x.page.height}
	slices.SortStableFunc(lines, func(a, b *line) int { return a.order - b.order })
	for _, l := range lines {
		part.lines = append(part.lines, *l)
	}
	x.w.text(x.b, &part)
}

// code is the text of a listing: its lines, indented as they stand.
func (o *layout) code(lines []*line) string {
	left := lines[0].left
	for _, l := range lines {
		left = min(left, l.left)
	}
	var b strings.Builder
	for i, l := range lines {
		at, from := 0.0, left
		switch {
		case i > 0 && near(l.middle(), lines[i-1].middle(), l.height()/2):
			b.WriteByte(' ')
			from = lines[i-1].right
		case i > 0:
			b.WriteByte('\n')
		}
		if o.letter > 0 {
			at = (l.left - from) / o.letter
		}
		b.WriteString(strings.Repeat(" ", min(max(int(math.Round(at)), 0), deepestCode)))
		b.WriteString(text(l.words))
	}
	return b.String()
}

// deepestCode is how many spaces may stand before a line of a listing.
const deepestCode = 40
