package statement

import (
	"strings"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/sentence"
)

// Kind is what a statement is.
type Kind uint8

// The kinds of statements.
const (
	Sentence Kind = iota // says something
	Row                  // a row of a table
	Code                 // a listing, or a part of one between empty lines
	Caption              // announces what follows: a sentence that ends with a colon, or a block of that kind
	Question             // asks
)

// Quotable reports whether a statement of this kind says something by itself.
func (k Kind) Quotable() bool { return k == Sentence || k == Row || k == Code }

// Span is a statement, with what belongs to it elsewhere in the text. Headings, terms and
// lines of a table of contents are no statements.
type Span struct {
	Start, End int    // bytes in the body, as it stands there
	Kind       Kind   // what it is
	Text       string // as it is shown: on one line, without markup; a listing as it stands; never empty
	Heading    string // the headings above it, the outermost first
	Section    string // the last of them
	Term       string // the entry that it defines
	Lead       string // the sentence or caption that announces it
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

// Whole returns the statement with its term and the sentence that announces it: what stands
// for it where its meaning is compared.
func (s *Span) Whole() string {
	var parts []string
	for _, part := range []string{s.Term, s.Lead, s.Text} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " ")
}

// Piece is a piece of a document's text.
type Piece struct {
	Body    string
	Marks   doc.Marks // the blocks of Body; none: it is one paragraph
	Context string    // what its first block needs and stands before it: see chunk.Chunk
}

// Split returns the statements of a piece.
func Split(p Piece) []Span {
	c := cutter{body: p.Body, markdown: p.Marks.Markdown}
	marks := p.Marks.List
	if len(marks) == 0 && p.Body != "" {
		marks = []doc.Mark{{End: len(p.Body)}}
	}
	if len(marks) > 0 {
		c.begin(marks[0].Kind, p.Context)
	}
	for _, m := range marks {
		c.block(m)
	}
	return c.out
}

type level struct {
	level int
	text  string
}

// cutter remembers what the present block belongs to.
type cutter struct {
	body     string
	markdown bool
	out      []Span
	headings []level // the open ones, the outermost first
	terms    []level // the open ones, the outermost first
	lead     string  // of the present list, table or listing
	itemSeen bool    // a list item followed the lead
	asked    string
	last     doc.Kind // of the block before
	said     string   // the last sentence of the block before
	table    table
}

// begin takes what stands before the piece.
func (c *cutter) begin(first doc.Kind, context string) {
	switch first {
	case doc.TableRow:
		for line := range strings.Lines(context) {
			c.table.header(c.cells(strings.TrimRight(line, "\n")))
		}
	case doc.Definition:
		c.terms = []level{{0, c.plain(context)}}
	case doc.ListItem:
		c.lead, c.itemSeen = c.plain(context), true
	case doc.Paragraph, doc.Heading, doc.TableHeader, doc.Code, doc.Term, doc.Caption, doc.Footnote, doc.Note, doc.Contents:
	}
	c.last = first
}

// block takes the next block.
func (c *cutter) block(m doc.Mark) {
	raw := c.body[m.Start:m.End]
	if m.Kind != doc.TableHeader && m.Kind != doc.TableRow {
		c.table = table{}
	}
	switch m.Kind {
	case doc.Heading:
		c.heading(m.Level, raw)
	case doc.Term:
		c.term(m.Level, raw)
	case doc.Contents:
	case doc.TableHeader:
		c.table.header(c.cells(raw))
	case doc.TableRow:
		c.row(m, raw)
	case doc.Code:
		c.code(m)
	case doc.Caption:
		c.caption(m, raw)
	case doc.Paragraph, doc.ListItem, doc.Definition, doc.Footnote, doc.Note:
		c.prose(m, raw)
	}
	c.last = m.Kind
}

func (c *cutter) heading(depth int, raw string) {
	c.headings = append(above(c.headings, depth), level{depth, c.plain(raw)})
	c.terms, c.lead, c.itemSeen, c.asked, c.said = nil, "", false, "", ""
}

// term opens an entry. Terms that follow each other name one entry.
func (c *cutter) term(depth int, raw string) {
	text := c.plain(raw)
	if n := len(c.terms); c.last == doc.Term && n > 0 && c.terms[n-1].level == depth {
		c.terms[n-1].text += ", " + text
	} else {
		c.terms = append(above(c.terms, depth), level{depth, text})
	}
	c.lead, c.itemSeen, c.said = "", false, ""
	if c.asked = ""; asks(text) {
		c.asked = text
	}
}

// above returns the open headings or terms that one of the given depth stands below.
func above(open []level, depth int) []level {
	for len(open) > 0 && open[len(open)-1].level >= depth {
		open = open[:len(open)-1]
	}
	return open
}

// caption makes the title of a table or figure what announces its rows.
func (c *cutter) caption(m doc.Mark, raw string) {
	s := Span{Start: m.Start, End: m.End, Kind: Caption, Text: c.plain(raw)}
	if s.Text == "" {
		return
	}
	c.place(&s)
	c.lead, c.itemSeen = s.Text, false
}

// prose takes the sentences of a block of running text.
func (c *cutter) prose(m doc.Mark, raw string) {
	item := m.Kind == doc.ListItem
	switch {
	case m.Kind == doc.Paragraph && !m.Continued:
		c.terms = nil
	case m.Kind == doc.Definition:
		for len(c.terms) > 0 && m.Level > 0 && c.terms[len(c.terms)-1].level > m.Level {
			c.terms = c.terms[:len(c.terms)-1] // the text goes on behind an inner list of terms
		}
	}
	if !item {
		c.lead, c.itemSeen = "", false
	} else if !c.itemSeen && c.lead == "" && strings.HasSuffix(c.said, ":") {
		c.lead = c.said
	}
	c.itemSeen = c.itemSeen || item
	c.said = ""
	for _, at := range sentence.Split(raw) {
		s := Span{Start: m.Start + at.Start, End: m.Start + at.End, Text: c.plain(raw[at.Start:at.End]), Item: item}
		if s.Text == "" {
			continue
		}
		switch {
		case asks(s.Text):
			s.Kind = Question
		case strings.HasSuffix(s.Text, ":"):
			s.Kind = Caption
		}
		c.place(&s)
		c.said = s.Text
		if s.Kind == Question {
			c.question(raw)
		}
	}
}

// question makes the last statement what the next ones answer. A sentence before it in the
// same block belongs to it: "The lamp is dark. What now?"
func (c *cutter) question(raw string) {
	n := len(c.out)
	c.asked = c.out[n-1].Text
	if n < 2 || c.out[n-2].Kind != Sentence || strings.TrimSpace(raw) != strings.TrimSpace(c.body[c.out[n-2].Start:c.out[n-1].End]) {
		return
	}
	c.out[n-2].Kind = Question
	c.asked = c.out[n-2].Text + " " + c.asked
}

// asks reports whether text ends as a question does.
func asks(text string) bool {
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || strings.HasSuffix(text, "؟")
}

// row takes a table row. Rows that hold nothing beside their label are no statements.
func (c *cutter) row(m doc.Mark, raw string) {
	cells := c.cells(raw)
	if c.said != "" && c.lead == "" && c.last != doc.TableRow {
		c.lead = announcement(c.said)
	}
	if !c.table.add(cells) {
		return
	}
	s := Span{Start: m.Start, End: m.End, Kind: Row, Text: c.table.statement(), Label: cells[0], Cells: c.table.named()}
	if s.Text != "" {
		c.place(&s)
	}
}

// announcement returns a sentence if it ends as an announcement does.
func announcement(said string) string {
	if strings.HasSuffix(said, ":") {
		return said
	}
	return ""
}

// code takes a listing: the parts between its empty lines.
func (c *cutter) code(m doc.Mark) {
	lead := c.said
	for from := m.Start; from < m.End; {
		to := m.End
		if i := strings.Index(c.body[from:m.End], "\n\n"); i >= 0 {
			to = from + i
		}
		if text := strings.Trim(c.body[from:to], "\r\n"); strings.TrimSpace(text) != "" {
			start := from + strings.Index(c.body[from:to], text)
			s := Span{Start: start, End: start + len(text), Kind: Code, Text: text}
			c.place(&s)
			c.out[len(c.out)-1].Lead = lead
		}
		from = to + 2
	}
}

// place appends a statement with what it belongs to.
func (c *cutter) place(s *Span) {
	s.Lead, s.Asked = c.lead, c.asked
	if n := len(c.terms); n > 0 {
		s.Term = c.terms[n-1].text
	}
	for _, h := range c.headings {
		s.Heading, s.Section = strings.TrimPrefix(s.Heading+" – "+h.text, " – "), h.text
	}
	c.out = append(c.out, *s)
}
