package plain

import (
	"strings"

	"docqa/internal/engine/doc"
)

// boxed reports whether lines hold a table whose cells are framed by signs: "│a │ b │" or "| a | b |" between
// lines of dashes.
func (p *parser) boxed(from, to int) bool {
	rows, frames := 0, 0
	for i := from; i < to; i++ {
		switch {
		case frame(p.text(i)):
			frames++
		case framed(p.text(i)):
			rows++
		}
	}
	return rows > 0 && frames > 1
}

// frame reports whether a line is a part of the frame of a table.
func frame(text string) bool {
	return strings.Trim(text, "┌┬┐├┼┤└┴┘─╞═╪╡+-=") == "" && strings.ContainsAny(text, "┌├└╞+")
}

// framed reports whether a line has cells.
func framed(text string) bool {
	return strings.HasPrefix(text, "│") && strings.HasSuffix(text, "│") || len(text) > 1 && strings.HasPrefix(text, "|") && strings.HasSuffix(text, "|")
}

// table marks the rows of a framed table, what stands right above it as its caption, and the rest as prose. A row has a line, or all lines
// between two lines of the frame where the frame parts all rows.
func (p *parser) table(from, to int) {
	first, last := from, to-1
	for !frame(p.text(first)) && !framed(p.text(first)) {
		first++
	}
	for !frame(p.text(last)) && !framed(p.text(last)) {
		last--
	}
	if first > from {
		p.mark(doc.Caption, 0, from, first)
	}
	parts := 0
	for i := first; i <= last; i++ {
		if frame(p.text(i)) {
			parts++
		}
	}
	kind := doc.TableRow
	if parts > 2 {
		kind = doc.TableHeader // the frame parts it from the rows
	}
	for i := first; i <= last; {
		if !framed(p.text(i)) {
			if kind == doc.TableHeader && i > first && framed(p.text(i-1)) {
				kind = doc.TableRow
			}
			i++
			continue
		}
		end := i + 1
		for parts > 3 && end <= last && framed(p.text(end)) {
			end++
		}
		p.mark(kind, 0, i, end)
		i = end
	}
	if last+1 < to {
		p.prose(last+1, to)
	}
}
