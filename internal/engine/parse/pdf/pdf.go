package pdf

import (
	"io"
	"strings"
	"unicode/utf8"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
)

// Parse reads the output of pdftotext -tsv. A document without any word gives the
// error no_text.
func Parse(r io.Reader) (*doc.Document, error) {
	pages, err := readPages(r)
	if err != nil {
		return nil, err
	}
	w := writer{sizes: measure(pages), words: newVocabulary(pages)}
	words := 0
	for i := range pages {
		words += drop(&pages[i])
	}
	if words == 0 {
		return nil, parse.NoText()
	}
	setMargins(pages)
	w.layout = findLayout(pages)
	d := &doc.Document{}
	var open []float64 // the columns of definitions that the next page continues
	for i := range pages {
		var p doc.Page
		p, open = w.page(&pages[i], open)
		d.Pages = append(d.Pages, p)
		d.LeaveOut(doc.RunningHead, margins(&pages[i]))
	}
	return d, nil
}

// margins counts the characters of the running heads and feet of a page.
func margins(p *page) int {
	n := 0
	for i := range p.lines {
		if p.lines[i].margin {
			n += utf8.RuneCountInString(text(p.lines[i].words))
		}
	}
	return n
}

// drop removes the lines without words and returns how many words there are.
func drop(p *page) int {
	kept, n := p.lines[:0], 0
	for _, l := range p.lines {
		if len(l.words) > 0 {
			l.order = len(kept)
			kept = append(kept, l)
			n += len(l.words)
		}
	}
	p.lines = kept
	return n
}

type writer struct {
	sizes  sizes
	layout layout
	words  vocabulary
}

// page writes one page and returns the columns of the definitions that are open at its end. The running heads and feet
// stand in its text and belong to no block.
func (w writer) page(p *page, open []float64) (doc.Page, []float64) {
	b := doc.NewBuilder(p.number)
	inner := page{number: p.number, width: p.width, height: p.height}
	var feet []string
	for i := range p.lines {
		switch l := &p.lines[i]; {
		case !l.margin:
			inner.lines = append(inner.lines, *l)
		case l.middle() < p.height/2:
			b.Skip(text(l.words))
		default:
			feet = append(feet, text(l.words))
		}
	}
	if rows := visualRows(&inner); sideBySide(&inner, rows) {
		w.text(b, &inner)
		open = nil
	} else {
		x := indented{w: w, b: b, page: &inner, open: open}
		x.write(rows)
		open = x.open
	}
	for _, foot := range feet {
		b.Skip(foot)
	}
	return b.Page(), open
}

// text writes lines by their rows where they hold tables, else in poppler's order.
func (w writer) text(b *doc.Builder, p *page) {
	if rows, ok := tabular(p); ok {
		w.rows(b, p, rows)
		return
	}
	attachBullets(p)
	var running []*line
	for i := range p.lines {
		if l := &p.lines[i]; len(l.words) > 0 {
			running = append(running, l)
		}
	}
	w.running(b, running)
}

// rows writes a page from top to bottom: rows of tables and rows of several cells as
// such, what stands between them as running text.
func (w writer) rows(b *doc.Builder, p *page, rows []row) {
	var running []*line
	for i := 0; i < len(rows); {
		r := rows[i]
		if l := single(p, r); l != nil {
			running = append(running, l)
			i++
			continue
		}
		w.running(b, running)
		running = nil
		to := i + 1
		for to < len(rows) && r.table > 0 && rows[to].table == r.table {
			to++
		}
		w.table(b, p, rows[i:to])
		i = to
	}
	w.running(b, running)
}

// single returns the line of a row outside of tables that has but one, its bullet
// included; else nil.
func single(p *page, r row) *line {
	last := &p.lines[r.cells[len(r.cells)-1]]
	switch {
	case r.table > 0:
		return nil
	case len(r.cells) == 1:
		return last
	case len(r.cells) == 2:
		if first := &p.lines[r.cells[0]]; loneBullet(first) && beside(first, last) {
			prepend(first, last)
			return last
		}
	}
	return nil
}

// running writes running text.
func (w writer) running(b *doc.Builder, lines []*line) {
	for _, p := range w.sizes.paragraphs(lines) {
		b.Add(p.kind, p.level, w.flow(p.lines))
	}
}

// flow is the text of a paragraph's lines, words that a line end broke put together.
func (w writer) flow(lines []*line) string {
	var out []string
	for _, l := range lines {
		for i, x := range l.words {
			if n := len(out); i == 0 && n > 0 && hyphenated(out[n-1]) {
				out[n-1] = w.words.join(out[n-1], x.text)
				continue
			}
			out = append(out, x.text)
		}
	}
	return strings.Join(out, " ")
}

// table writes the rows of one table.
func (w writer) table(b *doc.Builder, p *page, rows []row) {
	heads := headers(p, rows)
	for i, r := range rows {
		kind := doc.TableRow
		if i < heads {
			kind = doc.TableHeader
		}
		cells := make([]string, len(r.cells))
		for j, c := range r.cells {
			cells[j] = text(p.lines[c].words)
		}
		b.Add(kind, 0, strings.Join(cells, "\t"))
	}
}

func text(words []word) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.text
	}
	return strings.Join(out, " ")
}

// attachBullets moves a bullet that stands alone to the line beside it, which poppler
// gives next.
func attachBullets(p *page) {
	for i := 0; i+1 < len(p.lines); i++ {
		if l, next := &p.lines[i], &p.lines[i+1]; loneBullet(l) && len(next.words) > 0 && beside(l, next) {
			prepend(l, next)
		}
	}
}

// loneBullet tells whether a line is nothing but a bullet.
func loneBullet(l *line) bool {
	return len(l.words) == 1 && bullet(l) && !numbered(l.words[0].text)
}

// beside tells whether other begins at the height of l, a little to its right.
func beside(l, other *line) bool {
	return near(l.middle(), other.middle(), 0.5*other.height()) && other.left > l.left && other.left-l.right < 4*other.height()
}

// prepend makes the words of l the first of other.
func prepend(l, other *line) {
	other.words = append(l.words, other.words...)
	other.left = l.left
	l.words = nil
}
