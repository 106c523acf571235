package statement

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/engine/sentence"
)

// Kind is what a statement is.
type Kind uint8

// The kinds of statements.
const (
	Sentence Kind = iota // says something
	Row                  // a row of a table
	Caption              // announces what follows rather than to say it
	Question             // asks
)

// Span is a statement and what stands above it in the passage. A heading is none.
type Span struct {
	Start, End int    // bytes in the body, as it stands there
	Kind       Kind   // what it is
	Text       string // as it is shown: on one line, without markup; never empty
	Heading    string // the headings above it, the outermost first
	Lead       string // the caption that announces it
	Asked      string // the last question above it under the same heading
	Cells      []Cell // of a row that has names of columns, without its label
	Label      string // the first cell of a row
}

// Cell is a cell of a table row that is not empty.
type Cell struct {
	Column string // what the header rows say above it; may be empty
	Text   string
}

// Whole is the statement with the caption that announces it: what stands for it where
// its meaning is compared.
func (s *Span) Whole() string {
	if s.Lead == "" {
		return s.Text
	}
	return s.Lead + " " + s.Text
}

// Split returns the statements of a passage's text.
func Split(body string) []Span {
	var c cutter
	for _, at := range sentence.Split(body) {
		c.take(at, body[at.Start:at.End])
	}
	return c.out
}

type heading struct {
	level int
	text  string
}

// cutter remembers what stands above the present line.
type cutter struct {
	out      []Span
	headings []heading // the open ones, the outermost first
	lead     string
	listed   bool // a list item followed the lead
	asked    string
	table    table
}

// take takes the next sentence, row or heading.
func (c *cutter) take(at sentence.Span, raw string) {
	if cells := row(raw); cells != nil {
		c.row(at, cells)
		return
	}
	c.table = table{}
	if level := headingLevel(raw); level > 0 {
		for len(c.headings) > 0 && c.headings[len(c.headings)-1].level >= level {
			c.headings = c.headings[:len(c.headings)-1]
		}
		c.headings = append(c.headings, heading{level, Plain(strings.TrimLeft(raw, "#"))})
		c.lead, c.asked, c.listed = "", "", false
		return
	}
	s := Span{Start: at.Start, End: at.End, Text: Plain(raw)}
	switch {
	case s.Text == "":
		return
	case strings.HasSuffix(s.Text, "?"), strings.HasSuffix(s.Text, "？"), strings.HasSuffix(s.Text, "؟"):
		s.Kind = Question
	case caption(raw):
		s.Kind = Caption
	}
	item := bulleted(raw)
	if s.Kind == Caption || c.listed && !item {
		c.lead, c.listed = "", false
	}
	c.listed = c.listed || item
	c.place(&s)
	if s.Kind == Question {
		c.asked = s.Text
	}
	if s.Kind == Caption {
		c.lead = s.Text
	}
}

// row takes a table row; header rows and rules state nothing.
func (c *cutter) row(at sentence.Span, cells []string) {
	if !c.table.add(cells) {
		return
	}
	s := Span{Start: at.Start, End: at.End, Kind: Row, Text: c.table.statement(), Label: cells[0], Cells: c.table.named()}
	if s.Text != "" {
		c.place(&s)
	}
}

// place appends a statement with what stands above it.
func (c *cutter) place(s *Span) {
	s.Lead, s.Asked = c.lead, c.asked
	for _, h := range c.headings {
		s.Heading = strings.TrimPrefix(s.Heading+" – "+h.text, " – ")
	}
	c.out = append(c.out, *s)
}

// headingLevel is the level of a marked heading, from 1; 0 for any other line.
func headingLevel(raw string) int {
	level := len(raw) - len(strings.TrimLeft(raw, "#"))
	if level > 0 && strings.HasPrefix(raw[level:], " ") {
		return level
	}
	return 0
}

// IsHeading tells whether a line only names what follows.
func IsHeading(line string) bool { return headingLevel(line) > 0 }

// caption tells whether a line without markup announces what follows: it ends with a
// colon, or is short, without a full stop and without figures.
func caption(raw string) bool {
	raw = strings.TrimSpace(raw)
	if strings.HasSuffix(strings.TrimRight(raw, "*_"), ":") {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(raw, "\"')]*_”’»"))
	return unicode.IsLetter(r) && !unicode.Is(unicode.Han, r) && len(strings.Fields(raw)) <= 12 &&
		!strings.ContainsFunc(raw, unicode.IsDigit) && !bulleted(raw)
}

// bullets are the marks of list items.
func bullets() []string { return []string{"- ", "* ", "+ ", "• ", "◦ ", "▪ ", "● "} }

func bulleted(raw string) bool {
	return slices.ContainsFunc(bullets(), func(mark string) bool { return strings.HasPrefix(raw, mark) })
}

// Plain drops the markup of Markdown and puts the text on one line.
func Plain(raw string) string {
	s := strings.TrimLeft(raw, "> ")
	for _, mark := range bullets() {
		s = strings.TrimPrefix(s, mark)
	}
	s = unlink(s)
	if strings.ContainsAny(s, "*_`") { // a replacer costs more than the sentence
		s = strings.NewReplacer("**", "", "__", "", "`", "").Replace(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// unlink puts the text of a link in its place; images vanish.
func unlink(s string) string {
	for {
		open := strings.Index(s, "](")
		if open < 0 {
			return s
		}
		start := strings.LastIndexByte(s[:open], '[')
		end := strings.IndexByte(s[open:], ')')
		if start < 0 || end < 0 {
			return s
		}
		text, from := s[start+1:open], start
		if start > 0 && s[start-1] == '!' {
			text, from = "", start-1
		}
		s = s[:from] + text + s[open+end+1:]
	}
}
