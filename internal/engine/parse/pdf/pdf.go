package pdf

import (
	"io"
	"slices"
	"strings"

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
	margins := repeated(pages)
	d := &doc.Document{}
	words := 0
	for i := range pages {
		words += drop(&pages[i])
		d.Pages = append(d.Pages, w.page(&pages[i], margins))
	}
	if words == 0 {
		return nil, parse.NoText()
	}
	return d, nil
}

// drop removes the lines without words and returns how many words there are.
func drop(p *page) int {
	kept, n := p.lines[:0], 0
	for _, l := range p.lines {
		if len(l.words) > 0 {
			kept = append(kept, l)
			n += len(l.words)
		}
	}
	p.lines = kept
	return n
}

type writer struct {
	sizes sizes
	words vocabulary
}

// page writes one page: poppler's order, each table where its first line stands.
func (w writer) page(p *page, margins map[string]bool) doc.Page {
	b := doc.NewBuilder(p.number)
	attachBullets(p)
	rows := markTables(p)
	written := map[int]bool{} // tables
	var running []*line
	for i := range p.lines {
		l := &p.lines[i]
		switch {
		case len(l.words) == 0:
		case l.row == 0 && margins[marginKey(p, l)]:
			w.running(b, running)
			running = nil
			b.Skip(text(l.words))
		case l.row == 0:
			running = append(running, l)
		case !written[rows[l.row-1].table]:
			w.running(b, running)
			running = nil
			written[rows[l.row-1].table] = true
			w.table(b, p, rows, rows[l.row-1].table)
		}
	}
	w.running(b, running)
	return b.Page()
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
func (w writer) table(b *doc.Builder, p *page, rows []row, table int) {
	from := slices.IndexFunc(rows, func(r row) bool { return r.table == table })
	to := from
	for to < len(rows) && rows[to].table == table {
		to++
	}
	heads := headers(p, rows[from:to])
	for i, r := range rows[from:to] {
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

// attachBullets moves a bullet that stands alone to the line beside it.
func attachBullets(p *page) {
	for i := range p.lines {
		l := &p.lines[i]
		if len(l.words) != 1 || !bullet(l) || numbered(l.words[0].text) {
			continue
		}
		for j := range p.lines {
			other := &p.lines[j]
			if i != j && len(other.words) > 0 && near(l.middle(), other.middle(), 0.5*other.height()) && other.left > l.left && other.left-l.right < 4*other.height() {
				other.words = append(l.words, other.words...)
				other.left = l.left
				l.words = nil
				break
			}
		}
	}
}
