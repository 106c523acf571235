package markdown

import (
	"strings"

	"github.com/yuin/goldmark/text"

	"docqa/internal/engine/doc"
)

// paragraph marks what the lines of a paragraph hold: definitions of links, which are no
// text, then running text and then, maybe, a table.
func (w *walker) paragraph(lines *text.Segments, depth int) {
	all := w.text(lines)
	first := definitions(all)
	header := table(all[first:])
	if header < 0 {
		header = len(all) - first
	}
	header += first
	kind := doc.Paragraph
	switch {
	case w.term:
		kind = doc.Definition
	case depth > 0:
		kind = doc.ListItem
	case w.inNote:
		kind = doc.Note
	}
	w.lines(kind, depth, lines, first, header)
	for i := header; i < len(all); i++ {
		switch {
		case i == header+1: // the line below the header
		case cells(all[i]) == 0:
		case i == header:
			w.row(doc.TableHeader, lines.At(i).Start)
		default:
			w.row(doc.TableRow, lines.At(i).Start)
		}
	}
}

// text is the text of lines, each for itself.
func (w *walker) text(lines *text.Segments) []string {
	all := make([]string, lines.Len())
	for i := range all {
		segment := lines.At(i)
		all[i] = w.source[w.offset+segment.Start : w.offset+segment.Stop]
	}
	return all
}

// row marks a row of a table, the whole line that it stands on.
func (w *walker) row(kind doc.Kind, at int) {
	start, end := w.line(at)
	w.page.Mark(kind, 0, start, end)
}

// table finds the index of the line that is the header of a table, -1 where there is
// none: the line before the first of dashes, if both have as many cells.
func table(lines []string) int {
	for i := 1; i < len(lines); i++ {
		if columns := delimiters(lines[i]); columns > 0 {
			if cells(lines[i-1]) == columns {
				return i - 1
			}
			return -1
		}
	}
	return -1
}

// delimiters counts the columns of the line below the header of a table, such as
// "| --- | :-: |"; 0 where it is no such line.
func delimiters(line string) int {
	trimmed := strings.TrimSpace(line)
	if strings.Trim(trimmed, "-:| \t") != "" || strings.Trim(trimmed, "-") == "" {
		return 0
	}
	n := 0
	for column := range strings.SplitSeq(inner(trimmed), "|") {
		column = strings.TrimSpace(column)
		column = strings.TrimSuffix(strings.TrimPrefix(column, ":"), ":")
		if column == "" || strings.Trim(column, "-") != "" {
			return 0
		}
		n++
	}
	return n
}

// cells counts the cells of a row.
func cells(line string) int {
	row := inner(strings.TrimSpace(line))
	if row == "" {
		return 0
	}
	return strings.Count(row, "|") - strings.Count(row, `\|`) + 1
}

// inner is a row without the bars at its ends.
func inner(row string) string {
	row = strings.TrimPrefix(row, "|")
	if !strings.HasSuffix(row, `\|`) {
		row = strings.TrimSuffix(row, "|")
	}
	return row
}

// definitions counts the lines at the beginning of a paragraph that define links.
func definitions(lines []string) int {
	if !strings.HasPrefix(strings.TrimLeft(lines[0], " "), "[") {
		return 0
	}
	whole := strings.Join(lines, "")
	rest := whole
	for {
		after, ok := definition(rest)
		if !ok {
			break
		}
		rest = after
	}
	n, left := 0, len(whole)
	for n < len(lines) && left > len(rest) {
		left -= len(lines[n])
		n++
	}
	return n
}

// longestLabel is how long the label of a link may be, by CommonMark.
const longestLabel = 999

// definition cuts a definition such as `[label]: address "title"` from s, with the end of
// its line; ok is false where s begins with none.
func definition(s string) (rest string, ok bool) {
	s = strings.TrimLeft(s, " ")
	if !strings.HasPrefix(s, "[") {
		return "", false
	}
	label, s, ok := until(s[1:], ']', "[")
	if !ok || len(label) > longestLabel || strings.TrimSpace(label) == "" || !strings.HasPrefix(s, ":") {
		return "", false
	}
	s = strings.TrimLeft(s[1:], " \t\r\n")
	if strings.HasPrefix(s, "<") {
		if _, s, ok = until(s[1:], '>', "<\n"); !ok {
			return "", false
		}
	} else {
		end := strings.IndexAny(s, " \t\r\n")
		if end < 0 {
			end = len(s)
		}
		if end == 0 {
			return "", false
		}
		s = s[end:]
	}
	return title(s)
}

// title cuts the title of a link, if there is one, and the end of its line.
func title(s string) (rest string, ok bool) {
	bare, atEnd := lineEnd(s)
	opener := strings.TrimLeft(s, " \t\r\n")
	if opener == "" || opener == s {
		return bare, atEnd
	}
	var after string
	var closed bool
	switch opener[0] {
	case '"', '\'':
		_, after, closed = until(opener[1:], opener[0], "")
	case '(':
		_, after, closed = until(opener[1:], ')', "(")
	}
	if closed {
		if rest, ok = lineEnd(after); ok {
			return rest, true
		}
	}
	return bare, atEnd
}

// until cuts s after the first closer that is not escaped, if none of the refused bytes
// stands before it.
func until(s string, closer byte, refused string) (inside, rest string, ok bool) {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == closer:
			return s[:i], s[i+1:], true
		case strings.IndexByte(refused, s[i]) >= 0:
			return "", "", false
		}
	}
	return "", "", false
}

// lineEnd cuts white space up to the end of the line; ok is false where more stands on it.
func lineEnd(s string) (rest string, ok bool) {
	line, rest, _ := strings.Cut(s, "\n")
	return rest, strings.TrimSpace(line) == ""
}
