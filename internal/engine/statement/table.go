package statement

import (
	"strings"
	"unicode"
)

// table remembers the rows above the current one. The first of them name the columns.
type table struct {
	headers [][]string
	cells   []string
	ruled   bool // a line of dashes ended the headers
	rows    int
}

// row returns the cells of a table row, nil for any other line.
func row(raw string) []string {
	var parts []string
	switch {
	case strings.HasPrefix(raw, "|"):
		parts = strings.Split(strings.Trim(raw, "|"), "|")
	case strings.Contains(raw, "\t"):
		parts = strings.Split(raw, "\t")
	default:
		return nil
	}
	for i, p := range parts {
		parts[i] = Plain(strings.TrimSpace(p))
	}
	return parts
}

// add adds the next row. It returns false for a header row or a rule, which is no statement.
func (t *table) add(cells []string) bool {
	t.rows++
	if rule(cells) {
		t.ruled = true
		if len(t.headers) == 0 && t.cells != nil {
			t.headers = append(t.headers, t.cells)
		}
		return false
	}
	if t.rows == 1 && !amounts(cells) || cells[0] == "" && len(t.headers) == t.rows-1-btoi(t.ruled) && t.rows < 5 {
		t.headers = append(t.headers, cells)
		t.cells = cells
		return false
	}
	t.cells = cells
	return strings.TrimSpace(strings.Join(cells[1:], "")) != ""
}

// amounts tells whether a row holds numbers that are no years. Such a first row is no header: the
// passage begins inside a table.
func amounts(cells []string) bool {
	for _, c := range cells[1:] {
		year := len(c) == 4 && (strings.HasPrefix(c, "19") || strings.HasPrefix(c, "20"))
		if strings.ContainsAny(c, "0123456789") && !year && !strings.ContainsFunc(c, unicode.IsLetter) {
			return true
		}
	}
	return false
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rule tells whether a row is the line between header and body.
func rule(cells []string) bool {
	for _, c := range cells {
		if strings.Trim(c, "-: ") != "" {
			return false
		}
	}
	return true
}

// named returns the cells of the current row after its label.
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

// statement returns the current row as a sentence: its label, then each cell after the names of
// its column.
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

// column returns the text of the header rows above column i, "" if the row and the header have
// different numbers of columns.
func (t *table) column(i int) string {
	var names []string
	for _, h := range t.headers {
		if len(h) == len(t.cells) && h[i] != "" {
			names = append(names, h[i])
		}
	}
	return strings.Join(names, " ")
}
