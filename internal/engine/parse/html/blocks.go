package html

import (
	"strings"

	"golang.org/x/net/html"

	"docqa/internal/engine/doc"
)

// piece is a block of the page before it is known whether it is kept.
type piece struct {
	kind  doc.Kind
	level int
	text  string
	words int
	links int        // words inside links
	node  *html.Node // the element that holds it
}

// collector walks the tree and cuts its text into pieces.
type collector struct {
	out   []piece
	text  strings.Builder
	links int // words of the open piece that stand in links
	kind  doc.Kind
	level int
	depth int // of lists
	link  bool
	node  *html.Node
}

// collect returns the pieces below n in the order of the page.
func collect(n *html.Node) []piece {
	c := &collector{node: n}
	c.walk(n, 0)
	c.flush()
	return c.out
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
			return
		}
	case html.DocumentNode:
	case html.ErrorNode, html.CommentNode, html.DoctypeNode, html.RawNode:
		return
	}
	switch n.Data {
	case "br":
		c.text.WriteByte('\n')
		return
	case "pre":
		c.flush()
		c.out = append(c.out, listing(n)...)
		return
	case "tr":
		c.row(n, depth)
		return
	case "a":
		was := c.link
		c.link = true
		c.children(n, depth)
		c.link = was
		return
	}
	if !block(n.Data) {
		c.children(n, depth)
		return
	}
	c.flush()
	kind, level, node, lists := c.kind, c.level, c.node, c.depth
	c.enter(n)
	c.children(n, depth)
	c.flush()
	c.kind, c.level, c.node, c.depth = kind, level, node, lists
}

func (c *collector) children(n *html.Node, depth int) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		c.walk(k, depth+1)
	}
}

// enter sets what the pieces inside a block element are.
func (c *collector) enter(n *html.Node) {
	c.node = n
	switch n.Data {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		c.kind, c.level = doc.Heading, int(n.Data[1]-'0')
	case "ul", "ol":
		c.depth++
	case "li", "dd":
		c.kind, c.level = doc.ListItem, max(c.depth, 1)
	case "p", "blockquote", "dt":
		if c.kind != doc.ListItem {
			c.kind, c.level = doc.Paragraph, 0
		}
	}
}

// say adds running text.
func (c *collector) say(data string) {
	c.text.WriteString(data)
	if c.link {
		c.links += len(strings.Fields(data))
	}
}

// flush ends the open piece.
func (c *collector) flush() {
	words := strings.Fields(c.text.String())
	if len(words) > 0 {
		c.out = append(c.out, piece{kind: c.kind, level: c.level, text: strings.Join(words, " "), words: len(words), links: min(c.links, len(words)), node: c.node})
	}
	c.text.Reset()
	c.links = 0
}

// row makes one piece of a table row. A row with a cell of more than a few pieces is
// laid out, not tabular: its pieces stay as they are.
func (c *collector) row(tr *html.Node, depth int) {
	c.flush()
	first := len(c.out)
	kind, tabular := doc.TableHeader, true
	var ends []int // of the cells' pieces
	for cell := tr.FirstChild; cell != nil; cell = cell.NextSibling {
		if cell.Data != "td" && cell.Data != "th" || hidden(cell) {
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
	if !tabular || len(c.out) == first {
		return
	}
	row := joined(c.out, first, ends)
	row.kind, row.node = kind, tr
	c.out = append(c.out[:first], row)
}

// maxCellPieces is how many pieces the cell of a table of values may have.
const maxCellPieces = 3

// cell collects the pieces of a cell, which knows nothing of what stands around it.
func (c *collector) cell(n *html.Node, depth int) {
	kind, level, node, lists, link := c.kind, c.level, c.node, c.depth, c.link
	c.kind, c.level, c.node, c.depth, c.link = 0, 0, n, 0, false
	c.walk(n, depth)
	c.flush()
	c.kind, c.level, c.node, c.depth, c.link = kind, level, node, lists, link
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

// hidden tells whether an element shows no text of the page: code, controls, or
// switched off by its author.
func hidden(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "noscript", "template", "svg", "head", "iframe", "object", "canvas", "audio", "video",
		"select", "button", "textarea", "input", "math", "map", "noframes", "embed":
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
