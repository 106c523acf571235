package pdf

import (
	"slices"
	"strings"
	"unicode"
)

// row is what stands at one height of a page.
type row struct {
	cells       []int // lines, from left to right
	top, bottom float64
	data        bool // it looks like a row of figures
	table       int  // counts the tables of the page, 0 = none
}

// tabular returns the page by its rows, where it holds a table and no columns of
// running text beside each other; else ok is false and poppler's order is the better.
func tabular(p *page) (rows []row, ok bool) {
	rows = visualRows(p)
	tables := 0
	for i := 0; i < len(rows); {
		first, last := region(p, rows, i)
		if last < 0 {
			i++
			continue
		}
		tables++
		for j := first; j <= last; j++ {
			rows[j].table = tables
		}
		i = last + 1
	}
	return rows, tables > 0 && !sideBySide(p, rows) && !staggered(rows)
}

// staggered tells whether rows reach into each other, as cells do that are centred
// beside cells of several lines: then top to bottom is no reading order.
func staggered(rows []row) bool {
	for i := 1; i < len(rows); i++ {
		height := min(rows[i].bottom-rows[i].top, rows[i-1].bottom-rows[i-1].top)
		if rows[i-1].bottom-rows[i].top > 0.45*height {
			return true
		}
	}
	return false
}

// sideBySide tells whether running text stands side by side: in a quarter of the rows,
// and in four at least.
func sideBySide(p *page, rows []row) bool {
	n := 0
	for _, r := range rows {
		long := 0
		for _, c := range r.cells {
			if words := p.lines[c].words; len(words) >= 4 && figures(words) == 0 {
				long++
			}
		}
		if long >= 2 {
			n++
		}
	}
	return n >= 4 && n*4 >= len(rows)
}

// visualRows groups the lines of a page by height.
func visualRows(p *page) []row {
	order := make([]int, 0, len(p.lines))
	for i := range p.lines {
		if len(p.lines[i].words) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return compare(p.lines[a].middle(), p.lines[b].middle())
	})
	var out []row
	for _, i := range order {
		l := &p.lines[i]
		if n := len(out); n > 0 {
			r := &out[n-1]
			if near(l.middle(), (r.top+r.bottom)/2, 0.4*min(l.height(), r.bottom-r.top)) {
				r.cells = append(r.cells, i)
				continue
			}
		}
		out = append(out, row{cells: []int{i}, top: l.top, bottom: l.bottom})
	}
	for i := range out {
		slices.SortStableFunc(out[i].cells, func(a, b int) int { return compare(p.lines[a].left, p.lines[b].left) })
		out[i].data = dataRow(p, out[i].cells)
	}
	return out
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// dataRow tells whether the cells look like a row of a table: figures beside a
// label, or several short cells.
func dataRow(p *page, cells []int) bool {
	if len(cells) == 1 {
		return figures(p.lines[cells[0]].words) >= 2
	}
	short, figure := 0, 0
	for i, c := range cells {
		words := p.lines[c].words
		n := figures(words)
		if len(words) <= 5 {
			short++
		}
		if (i > 0 || n == len(words)) && n > 0 && len(words) <= 2*n+1 {
			figure++
		}
	}
	return figure > 0 && len(cells)-short <= 1 || len(cells) >= 3 && short == len(cells)
}

// figures counts the words at the end of a cell that are numbers or stand for one.
func figures(words []word) int {
	n := 0
	for _, w := range slices.Backward(words) {
		if !figure(w.text) {
			break
		}
		n++
	}
	if n == len(words) && n > 0 {
		return n
	}
	if n == 1 && strings.HasSuffix(words[len(words)-1].text, ".") {
		return 0 // the year that ends a sentence
	}
	return n
}

// figure tells whether w is a number, an amount, a percentage or a dash in their place.
func figure(w string) bool {
	digits, others := 0, 0
	for _, r := range w {
		switch {
		case unicode.IsDigit(r):
			digits++
		case strings.ContainsRune("$€£¥%()+-–—−.,:/*", r):
		default:
			others++
		}
	}
	if digits == 0 {
		return others == 0 && strings.ContainsAny(w, "$€£¥%—–-")
	}
	return digits >= 2*others
}

// region finds the table whose first row is at from or, with its header, just
// above the first data row; last is -1 where no table begins there.
func region(p *page, all []row, from int) (first, last int) {
	if !all[from].data {
		return from, -1
	}
	last, count := from, 1
	for i := from + 1; i < len(all) && i-last <= 3; i++ {
		gap := all[i].top - all[i-1].bottom
		if gap > 3.5*(all[i].bottom-all[i].top) || prose(p, all[i]) {
			break
		}
		if all[i].data {
			last = i
			count++
		}
	}
	if count < 2 {
		return from, -1
	}
	return from, last
}

// prose tells whether a row is running text, which no table holds.
func prose(p *page, r row) bool {
	n := 0
	for _, c := range r.cells {
		n += len(p.lines[c].words)
	}
	return !r.data && n > 12
}

// headers counts the rows at the beginning of a table that name its columns: those
// above the first row that has a label and figures.
func headers(p *page, rows []row) int {
	for i, r := range rows {
		label := p.lines[r.cells[0]].words
		if len(r.cells) > 1 && figures(label) < len(label) && figures(p.lines[r.cells[len(r.cells)-1]].words) > 0 {
			return i
		}
		if i == 3 {
			break
		}
	}
	return 0
}
