package html

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"docqa/internal/engine/doc"
)

// piece is a block of the page before it is known whether it is kept.
type piece struct {
	kind  doc.Kind
	level int
	text  string
	words int
	links int        // words inside links that lead away
	leads int        // the same, of the words that have letters or digits
	named int        // words that have letters or digits
	mark  bool       // all of it is set in other type: it may be a term
	inner int        // words inside links to places of the same page
	inset float64    // what its margin adds on the left, in per cent of the line
	ruled bool       // a rule stands above it
	node  *html.Node // the element that holds it
	index int        // counts the pieces of the page
}

// collector walks the tree and cuts its text into pieces.
type collector struct {
	out    []piece
	text   strings.Builder
	links  int // words of the open piece that stand in links
	leads  int // the same, of the words that have letters or digits
	inner  int // words of the open piece that stand in links to the same page
	link   target
	ruled  bool // a rule stands above the open piece
	unseen int  // characters of text that the page hides
	inCell bool // of a table
	plain  bool // the open piece has words in the usual type
	end    byte // the last sign of the open piece
	marks  int  // depth of elements that set words in other type
	where
}

// where is what a block element sets for the pieces inside of it.
type where struct {
	kind  doc.Kind
	level int
	depth int     // of lists
	terms int     // depth of lists of terms
	inset float64 // as a piece's
	node  *html.Node
}

// collect returns the pieces below n in the order of the page, and how many characters of text the page hides.
func collect(n *html.Node) (all []piece, unseen int) {
	c := &collector{where: where{node: n}}
	c.walk(n, 0)
	c.flush()
	setContents(c.out)
	setTerms(c.out)
	setQuestions(c.out)
	closeTerms(c.out)
	for i := range c.out {
		c.out[i].index = i
	}
	return c.out, c.unseen
}

// deepest bounds the recursion; browsers stop nesting at about this depth too.
const deepest = 512

func (c *collector) walk(n *html.Node, depth int) {
	if depth > deepest {
		return
	}
	switch n.Type {
	case html.TextNode:
		c.say(n.Data)
		return
	case html.ElementNode:
		if hidden(n) {
			if !noText(n) {
				c.unseen += length(n, depth)
			}
			return
		}
	case html.DocumentNode:
	case html.ErrorNode, html.CommentNode, html.DoctypeNode, html.RawNode:
		return
	}
	if c.special(n, depth) {
		return
	}
	if !block(n.Data) {
		c.children(n, depth)
		return
	}
	c.flush()
	before := c.where
	c.enter(n)
	c.children(n, depth)
	c.flush()
	c.where = before
}

// special reads elements that are more than a block or a part of a line, and reports whether n is one.
func (c *collector) special(n *html.Node, depth int) bool {
	switch n.Data {
	case "br":
		if !c.inCell && (c.end == '.' || c.end == ':') {
			c.flush()
		}
		c.text.WriteByte('\f') // a line end that breaks no word
		return true
	case "hr":
		c.flush()
		c.ruled = true
		return true
	case "pre":
		c.flush()
		c.out = append(c.out, listing(n)...)
		return true
	case "tr":
		c.row(n, depth)
		return true
	case "a":
		if class(n, "headerlink", "anchor", "permalink", "anchorjs-link", "copiable-anchor") && signs(n) {
			return true // it links to the heading or term that it stands behind
		}
		was := c.link
		c.link = max(was, leads(n))
		c.children(n, depth)
		c.link = was
		return true
	case "b", "strong", "i", "em", "code", "tt", "var", "samp", "kbd":
		c.marks++
		c.children(n, depth)
		c.marks--
		return true
	}
	return false
}

func (c *collector) children(n *html.Node, depth int) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		c.walk(k, depth+1)
	}
}

// enter sets what the pieces inside a block element are.
func (c *collector) enter(n *html.Node) {
	c.node = n
	c.inset += inset(n)
	switch n.Data {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		if c.kind == doc.Note { // its title, such as "Tip"
			c.kind, c.level = doc.Caption, 0
			return
		}
		c.kind, c.level = doc.Heading, int(n.Data[1]-'0')
	case "ul", "ol":
		c.depth++
	case "li":
		c.kind, c.level = doc.ListItem, max(c.depth, 1)
	case "dl":
		c.terms++
		if class(n, "footnote", "footnotes") {
			c.kind, c.level = doc.Footnote, 0
		}
	case "dt":
		if c.kind == doc.Footnote {
			return
		}
		c.kind, c.level = doc.Term, max(c.terms, 1)
	case "dd":
		if c.kind == doc.Footnote {
			return
		}
		c.kind, c.level = doc.Definition, max(c.terms, 1)
	case "details":
		c.terms++
		c.kind, c.level = doc.Definition, c.terms
	case "summary":
		c.kind, c.level = doc.Term, max(c.terms, 1)
	case "caption", "figcaption":
		c.kind, c.level = doc.Caption, 0
	case "p", "blockquote":
		if c.kind == doc.Heading {
			c.kind, c.level = doc.Paragraph, 0
		}
		if c.kind == doc.Note && class(n, "admonition-title", "title") {
			c.kind = doc.Caption
		}
	case "div", "aside", "section", "table":
		switch {
		case class(n, "note", "tip", "warning", "important", "caution", "admonition", "hint"):
			c.kind, c.level = doc.Note, 0
		case class(n, "footnote", "footnotes"):
			c.kind, c.level = doc.Footnote, 0
		}
	}
}

// class reports whether an element has one of the classes.
func class(n *html.Node, names ...string) bool {
	for _, a := range n.Attr {
		if a.Key == "class" {
			for name := range strings.FieldsSeq(strings.ToLower(a.Val)) {
				if slices.Contains(names, name) {
					return true
				}
			}
		}
	}
	return false
}

// target says where the words of a piece lead.
type target uint8

const (
	nowhere  target = iota
	samePage        // to a place of the same page
	away
)

// leads returns where a link leads. An a without an address marks a place.
func leads(a *html.Node) target {
	for _, attribute := range a.Attr {
		if attribute.Key != "href" {
			continue
		}
		if strings.HasPrefix(attribute.Val, "#") && !class(a, "permalink") {
			return samePage
		}
		return away
	}
	return nowhere
}

// signs reports whether an element has no text of letters or digits.
func signs(n *html.Node) bool {
	if n.Type == html.TextNode {
		return !strings.ContainsFunc(n.Data, wordy)
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if !signs(k) {
			return false
		}
	}
	return true
}

func wordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// say adds running text.
func (c *collector) say(data string) {
	c.text.WriteString(data)
	said := strings.TrimSpace(data)
	if said == "" {
		return
	}
	c.end = said[len(said)-1]
	c.plain = c.plain || c.marks == 0
	for w := range strings.FieldsSeq(data) {
		switch c.link {
		case away:
			c.links++
			c.leads += count(strings.ContainsFunc(w, wordy))
		case samePage:
			c.inner++
		case nowhere:
			return
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// flush ends the open piece.
func (c *collector) flush() {
	words := unbroken(c.text.String())
	if len(words) > 0 {
		p := piece{
			kind: c.kind, level: c.level, text: strings.Join(words, " "), words: len(words), links: min(c.links, len(words)), leads: c.leads,
			inner: min(c.inner, len(words)), mark: !c.plain, inset: c.inset, ruled: c.ruled, node: c.node,
		}
		for _, w := range words {
			p.named += count(strings.ContainsFunc(w, wordy))
		}
		if p.kind == doc.Term && p.words > longTerm {
			p.kind, p.level = doc.Paragraph, 0
		}
		c.out, c.ruled = append(c.out, p), false
	}
	c.text.Reset()
	c.links, c.leads, c.inner, c.plain, c.end = 0, 0, 0, false, 0
}

// row makes one piece of a table row. A row with a cell of more than a few pieces is
// laid out, not tabular: its pieces stay as they are.
func (c *collector) row(tr *html.Node, depth int) {
	c.flush()
	first := len(c.out)
	kind, tabular := doc.TableHeader, true
	var ends []int // of the cells' pieces, the end of each
	for cell := tr.FirstChild; cell != nil; cell = cell.NextSibling {
		if cell.Data != "td" && cell.Data != "th" {
			continue
		}
		if hidden(cell) {
			c.unseen += length(cell, depth)
			continue
		}
		if cell.Data == "td" {
			kind = doc.TableRow
		}
		before := len(c.out)
		c.cell(cell, depth+1)
		tabular = tabular && len(c.out)-before <= maxCellPieces
		ends = append(ends, len(c.out))
	}
	if len(c.out) == first || c.laidOut(first, ends) || !tabular {
		return
	}
	row := joined(c.out, first, ends)
	row.kind, row.node = kind, tr
	c.out = append(c.out[:first], row)
}

// laidOut finds rows that are no table: a short cell, an empty one and a long one, as converters of manual pages
// write terms and list items. It reports whether the row is one.
func (c *collector) laidOut(first int, ends []int) bool {
	pieces := c.out[first:]
	if len(ends) < 4 || ends[0] != first || len(pieces) < 2 {
		return false
	}
	at := 1 // the cell of the first piece
	for ends[at] == first {
		if at++; at+2 >= len(ends) {
			return false
		}
	}
	if ends[at] != first+1 || ends[at+1] != first+1 || ends[at+2] != len(c.out) || pieces[0].words > wordsOfTerm {
		return false
	}
	if bullet(pieces[0].text) {
		pieces[1].kind, pieces[1].level = doc.ListItem, 1
		pieces[1].text = pieces[0].text + " " + pieces[1].text
		c.out = append(c.out[:first], pieces[1:]...)
		return true
	}
	pieces[0].kind, pieces[0].level = doc.Term, 1
	for i := 1; i < len(pieces); i++ {
		if pieces[i].kind == doc.Paragraph {
			pieces[i].kind, pieces[i].level = doc.Definition, 1
		}
	}
	return true
}

// bullet reports whether a text is the mark of a list item.
func bullet(text string) bool {
	switch text {
	case "•", "◦", "▪", "●", "○", "·", "-", "–", "*", "o":
		return true
	}
	return false
}

// maxCellPieces is how many pieces the cell of a table of values may have.
const maxCellPieces = 3

// cell collects the pieces of a cell, which knows nothing of what stands around it.
func (c *collector) cell(n *html.Node, depth int) {
	inner := &collector{out: c.out, inCell: true, where: where{node: n}}
	inner.walk(n, depth)
	inner.flush()
	c.out = inner.out
	c.unseen += inner.unseen
}

// joined makes one piece of the cells whose pieces begin at first and end at ends.
func joined(pieces []piece, first int, ends []int) piece {
	var row piece
	var text strings.Builder
	at := first
	for i, end := range ends {
		if i > 0 {
			text.WriteByte('\t')
		}
		for j := at; j < end; j++ {
			if j > at {
				text.WriteByte(' ')
			}
			text.WriteString(pieces[j].text)
			row.words += pieces[j].words
			row.links += pieces[j].links
			row.named += pieces[j].named
			row.leads += pieces[j].leads
		}
		at = end
	}
	row.text = text.String()
	return row
}

// listing keeps the lines of preformatted text.
func listing(n *html.Node) []piece {
	var b strings.Builder
	var raw func(n *html.Node, depth int)
	raw = func(n *html.Node, depth int) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Data == "br" {
			b.WriteByte('\n')
		}
		for k := n.FirstChild; k != nil && depth < deepest; k = k.NextSibling {
			raw(k, depth+1)
		}
	}
	raw(n, 0)
	text := strings.Trim(strings.ReplaceAll(b.String(), "\r\n", "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return []piece{{kind: doc.Code, text: text, words: len(strings.Fields(text)), node: n}}
}

// block tells whether an element begins a line of its own.
func block(tag string) bool {
	switch tag {
	case "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "div", "dl", "dt",
		"fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
		"html", "li", "main", "menu", "nav", "ol", "p", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "ul", "caption":
		return true
	}
	return false
}

// length counts the characters of the text below n, but for white space.
func length(n *html.Node, depth int) int {
	total := 0
	if n.Type == html.TextNode {
		for w := range strings.FieldsSeq(n.Data) {
			total += utf8.RuneCountInString(w)
		}
	}
	for k := n.FirstChild; k != nil && depth < deepest; k = k.NextSibling {
		if !noText(k) {
			total += length(k, depth+1)
		}
	}
	return total
}

// noText tells whether an element holds no text of the page: code and controls.
func noText(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "noscript", "template", "svg", "head", "iframe", "object", "canvas", "audio", "video",
		"select", "button", "textarea", "input", "math", "map", "noframes", "embed":
		return true
	}
	return false
}

// hidden tells whether an element shows no text of the page: code, controls, or
// switched off by its author.
func hidden(n *html.Node) bool {
	if noText(n) {
		return true
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return a.Val != "until-found"
		case "aria-hidden":
			if a.Val == "true" {
				return true
			}
		case "style":
			s := strings.ToLower(strings.ReplaceAll(a.Val, " ", ""))
			if strings.Contains(s, "display:none") || strings.Contains(s, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}
