package statement

import (
	"strings"
)

// table remembers the rows above the present one, the first of which name the columns.
type table struct {
	headers [][]string
	cells   []string
	begun   bool // a row stated something
}

// maxHeaders is how many rows may name the columns.
const maxHeaders = 4

// header takes a row that names the columns.
func (t *table) header(cells []string) {
	if len(cells) > 0 {
		t.headers = append(t.headers, cells)
	}
}

// cells returns the cells of a table row, at least one.
func (c *cutter) cells(raw string) []string {
	var parts []string
	switch {
	case strings.HasPrefix(raw, "│"):
		parts = framed(raw, "│")
	case strings.HasPrefix(raw, "|"):
		parts = framed(raw, "|")
	default:
		parts = strings.Split(raw, "\t")
	}
	for i, p := range parts {
		parts[i] = c.plain(strings.TrimSpace(p))
	}
	return parts
}

// framed returns the cells of a row between signs. A row of several lines has cells of several lines.
func framed(raw, sign string) []string {
	var parts []string
	for line := range strings.Lines(raw) {
		for i, cell := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), sign), sign), sign) {
			if i == len(parts) {
				parts = append(parts, "")
			}
			parts[i] = strings.TrimSpace(parts[i] + " " + strings.TrimSpace(cell))
		}
	}
	return parts
}

// add takes the next row and reports whether it states something. Rows without a label right
// below the header are part of it.
func (t *table) add(cells []string) bool {
	t.cells = cells
	if !t.begun && cells[0] == "" && len(t.headers) > 0 && len(t.headers) < maxHeaders {
		t.header(cells)
		return false
	}
	t.begun = true
	return strings.TrimSpace(strings.Join(cells[1:], "")) != ""
}

// named are the cells of the present row after its label.
func (t *table) named() []Cell {
	var out []Cell
	pending := ""
	for i, c := range t.cells[1:] {
		if c == "" || c == "$" {
			pending += c
			continue
		}
		out = append(out, Cell{Column: t.column(i + 1), Text: pending + c})
		pending = ""
	}
	return out
}

// statement is the present row as a sentence: its label, then each cell after the
// names of its column.
func (t *table) statement() string {
	var out []string
	for _, c := range t.named() {
		if c.Column != "" {
			c.Text = c.Column + ": " + c.Text
		}
		out = append(out, c.Text)
	}
	if t.cells[0] == "" {
		return strings.Join(out, ", ")
	}
	return strings.TrimSuffix(t.cells[0], ":") + " – " + strings.Join(out, ", ")
}

// column is what the header rows say above column i, "" where rows and header do not
// have the same columns.
func (t *table) column(i int) string {
	var names []string
	for _, h := range t.headers {
		if len(h) == len(t.cells) && h[i] != "" {
			names = append(names, h[i])
		}
	}
	return strings.Join(names, " ")
}
