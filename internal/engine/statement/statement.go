package statement

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/engine/sentence"
)

// Kind is the kind of a statement.
type Kind uint8

// The kinds of statements.
const (
	Sentence Kind = iota // says something
	Row                  // a row of a table
	Caption              // announces what follows rather than to say it
	Question             // asks
)

// Span is a statement with the heading, question and caption above it. A heading is no
// statement.
type Span struct {
	Start, End int    // bytes in the body, as it stands there
	Kind       Kind   // what it is
	Text       string // as it is shown: on one line, without markup; never empty
	Heading    string // the headings above it, the outermost first
	Section    string // the last of them
	Lead       string // the caption that announces it
	Item       bool   // it is an item of a list
	Asked      string // the last question above it under the same heading
	Cells      []Cell // of a row that has names of columns, without its label
	Label      string // the first cell of a row
}

// Cell is a cell of a table row that is not empty.
type Cell struct {
	Column string // what the header rows say above it; may be empty
	Text   string
}

// Whole returns the statement with the caption that announces it. Vectors are made of this text.
func (s *Span) Whole() string {
	if s.Lead == "" {
		return s.Text
	}
	return s.Lead + " " + s.Text
}

// Split returns the statements of a passage's text.
func Split(body string) []Span {
	c := cutter{body: body}
	for _, at := range sentence.Split(body) {
		c.take(at, body[at.Start:at.End])
	}
	return c.out
}

type heading struct {
	level int
	text  string
}

// cutter remembers the heading, question and caption above the current line.
type cutter struct {
	body     string
	out      []Span
	headings []heading // the open ones, the outermost first
	section  string    // a heading below them that is not marked as one
	lead     string
	hasItem  bool // a list item followed the lead
	asked    string
	table    table
}

// take processes the next sentence, row or heading.
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
		c.section, c.lead, c.asked, c.hasItem = "", "", "", false
		return
	}
	s := Span{Start: at.Start, End: at.End, Text: Plain(raw), Item: bulleted(raw)}
	switch {
	case s.Text == "":
		return
	case asks(s.Text):
		s.Kind = Question
	case caption(raw):
		s.Kind = Caption
	}
	announces := s.Kind == Caption && strings.HasSuffix(strings.TrimRight(s.Text, "*_"), ":")
	if s.Kind != Question && !announces && c.lead != "" && !numbered(raw) && !strings.ContainsAny(s.Text[len(s.Text)-1:], ".!;") && len(strings.Fields(s.Text)) <= 25 {
		s.Kind, s.Item = Sentence, true // a list without marks
	}
	if s.Kind == Caption || c.hasItem && !s.Item {
		c.lead, c.hasItem = "", false
	}
	c.hasItem = c.hasItem || s.Item
	switch {
	case s.Kind == Question:
		c.place(&s)
		c.asked = s.Text
		if c.out[len(c.out)-1].Start == s.Start && c.joinsQuestion() {
			c.asked = c.out[len(c.out)-2].Text + " " + s.Text
		}
	case announces:
		c.place(&s)
		c.lead = s.Text
	case s.Kind == Caption: // a heading that no mark tells from text
		c.asked = ""
		c.place(&s)
		c.section = s.Text
	default:
		c.place(&s)
	}
}

// joinsQuestion joins a question with the statement before it if both fill one line: "The lamp
// is dark. What now?"
func (c *cutter) joinsQuestion() bool {
	n := len(c.out)
	if n < 2 || c.out[n-2].Kind != Sentence {
		return false
	}
	line := c.body[c.out[n-2].Start:c.out[n-1].End]
	begins := strings.HasSuffix(strings.TrimRight(c.body[:c.out[n-2].Start], " "), "\n")
	ends := c.out[n-1].End == len(c.body) || strings.HasPrefix(c.body[c.out[n-1].End:], "\n")
	if !begins || !ends || strings.Contains(line, "\n") {
		return false
	}
	c.out[n-2].Kind = Question
	return true
}

// asks tells whether text ends as a question does.
func asks(text string) bool {
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || strings.HasSuffix(text, "؟")
}

// row processes a table row. Header rows and rules are no statements.
func (c *cutter) row(at sentence.Span, cells []string) {
	if !c.table.add(cells) {
		return
	}
	s := Span{Start: at.Start, End: at.End, Kind: Row, Text: c.table.statement(), Label: cells[0], Cells: c.table.named()}
	if s.Text != "" {
		c.place(&s)
	}
}

// place appends a statement with the texts above it.
func (c *cutter) place(s *Span) {
	s.Lead, s.Asked = c.lead, c.asked
	for _, h := range c.headings {
		s.Heading, s.Section = strings.TrimPrefix(s.Heading+" – "+h.text, " – "), h.text
	}
	if c.section != "" {
		s.Heading, s.Section = strings.TrimPrefix(s.Heading+" – "+c.section, " – "), c.section
	}
	c.out = append(c.out, *s)
}

// headingLevel returns the level of a marked heading, from 1, or 0 for any other line.
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
	raw = strings.TrimLeft(raw, "0123456789. ") // "3.1 What is covered"
	if r, _ := utf8.DecodeRuneInString(raw); unicode.IsLower(r) {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(raw, "\"')]*_”’»"))
	return unicode.IsLetter(r) && !unicode.Is(unicode.Han, r) && len(strings.Fields(raw)) <= 12 &&
		!strings.ContainsFunc(raw, unicode.IsDigit) && !bulleted(raw)
}

// numbered tells whether a line begins with the number of a chapter.
func numbered(raw string) bool { return raw[0] >= '0' && raw[0] <= '9' }

// bullets are the marks of list items.
func bullets() []string { return []string{"- ", "* ", "+ ", "• ", "◦ ", "▪ ", "● "} }

func bulleted(raw string) bool {
	return slices.ContainsFunc(bullets(), func(mark string) bool { return strings.HasPrefix(raw, mark) })
}

// Plain removes Markdown markup and joins the text to one line.
func Plain(raw string) string {
	s := withoutReferences(strings.TrimLeft(raw, "> "))
	for _, mark := range bullets() {
		s = strings.TrimPrefix(s, mark)
	}
	s = cutTargets(unlink(s))
	if strings.ContainsAny(s, "*_`") { // a replacer costs more than the sentence
		s = strings.NewReplacer("**", "", "__", "", "`", "").Replace(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// withoutReferences removes a document's own reference numbers, such as [12]: in an answer they
// would look like citations.
func withoutReferences(s string) string {
	if !strings.ContainsRune(s, '[') {
		return s
	}
	return reference.ReplaceAllString(s, "")
}

var reference = regexp.MustCompile(`\s?\[\d{1,3}\]`)

// cutTargets removes the rest of a link that the end of a sentence has cut in two.
func cutTargets(s string) string {
	if strings.Contains(s, "](") {
		s = target.ReplaceAllString(s, "")
	}
	return strings.TrimSuffix(strings.TrimSuffix(s, "!["), "[")
}

var target = regexp.MustCompile(`\]\([^)]*\)?`)

// unlink replaces links by their texts and removes images.
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
