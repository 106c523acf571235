package generate

import (
	"regexp"
	"strings"

	"docqa/eval/manuals/source"
)

// inlineTag is an option with its explanation on the same line.
var inlineTag = regexp.MustCompile(`^(-[-\w?#]+(?: [a-z_]+)?) {2,}(\S.*)$`)

// readPlain reads a manual page as "man" prints it: a term is a line with less indentation than the next one.
func (d *Document) readPlain(page string) {
	lines := strings.Split(page, "\n")
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		in := indent(line)
		if trimmed == "" || in == 0 {
			continue
		}
		if strings.HasSuffix(trimmed, "?") && in <= 4 && (i == 0 || strings.TrimSpace(lines[i-1]) == "") {
			if body := below(lines[i+1:], in, true); body != "" {
				d.sections = append(d.sections, section{trimmed, body})
			}
			continue
		}
		if m := inlineTag.FindStringSubmatch(trimmed); m != nil {
			column := in + strings.Index(trimmed, m[2])
			rest := below(lines[i+1:], column-1, false)
			d.addEntry(entry{term: m[1], name: nameOf(m[1]), body: source.Spaces(m[2] + " " + rest)})
			continue
		}
		if isTag(trimmed) && i+1 < len(lines) && indent(lines[i+1]) > in && (i == 0 || !isContinuation(lines[i-1], in)) {
			d.addEntry(entry{term: source.Spaces(trimmed), name: nameOf(trimmed), body: below(lines[i+1:], in, false)})
		}
	}
}

// isContinuation reports whether a line before a term is text at the same indentation, so that the term is in the middle of a paragraph
// or shares its explanation with another one.
func isContinuation(line string, in int) bool {
	return strings.TrimSpace(line) != "" && indent(line) == in
}

func isTag(line string) bool {
	return strings.HasPrefix(line, "-") && len(line) > 1 && line[1] != ' ' || strings.HasSuffix(line, "=") && !strings.Contains(line, " ")
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// below returns the text of the lines that are indented by more than in. With one, it is the first paragraph.
func below(lines []string, in int, one bool) string {
	var kept []string
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			if one && len(kept) > 0 {
				break
			}
			continue
		}
		if indent(line) <= in {
			break
		}
		kept = append(kept, line)
	}
	return source.Spaces(strings.Join(kept, " "))
}
