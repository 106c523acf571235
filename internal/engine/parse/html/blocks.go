package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

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
	switch n.DataAtom {
	case atom.Br:
		c.text.WriteByte('\n')
		return
	case atom.Pre:
		c.flush()
		c.out = append(c.out, listing(n)...)
		return
	case atom.Tr:
		c.row(n)
		return
	case atom.A:
		was := c.link
		c.link = true
		c.children(n, depth)
		c.link = was
		return
	}
	if !block(n.DataAtom) {
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
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		c.kind, c.level = doc.Heading, int(n.Data[1]-'0')
	case atom.Ul, atom.Ol:
		c.depth++
	case atom.Li, atom.Dd:
		c.kind, c.level = doc.ListItem, max(c.depth, 1)
	case atom.P, atom.Blockquote, atom.Dt:
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

// row makes one piece of a table row; a row that holds a table of its own is laid
// out, not tabular.
func (c *collector) row(tr *html.Node) {
	c.flush()
	p := piece{kind: doc.TableHeader, node: tr}
	var cells []string
	for cell := tr.FirstChild; cell != nil; cell = cell.NextSibling {
		if cell.DataAtom != atom.Td && cell.DataAtom != atom.Th || hidden(cell) {
			continue
		}
		if cell.DataAtom == atom.Td {
			p.kind = doc.TableRow
		}
		inner := collect(cell)
		if len(inner) > 3 {
			c.layout(tr)
			return
		}
		var text []string
		for _, i := range inner {
			text = append(text, i.text)
			p.words += i.words
			p.links += i.links
		}
		cells = append(cells, strings.Join(text, " "))
	}
	p.text = strings.Join(cells, "\t")
	if p.words > 0 {
		c.out = append(c.out, p)
	}
}

// layout takes the cells of a row for blocks of their own.
func (c *collector) layout(tr *html.Node) {
	for cell := tr.FirstChild; cell != nil; cell = cell.NextSibling {
		if cell.Type == html.ElementNode && !hidden(cell) {
			c.out = append(c.out, collect(cell)...)
		}
	}
}

// listing keeps the lines of preformatted text.
func listing(n *html.Node) []piece {
	var b strings.Builder
	var raw func(n *html.Node, depth int)
	raw = func(n *html.Node, depth int) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.DataAtom == atom.Br {
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
func block(a atom.Atom) bool {
	switch a {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Center, atom.Dd, atom.Details, atom.Dialog, atom.Div, atom.Dl, atom.Dt,
		atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hr,
		atom.Html, atom.Li, atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.P, atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Ul, atom.Caption:
		return true
	}
	return false
}

// hidden tells whether an element shows no text of the page: code, controls, or
// switched off by its author.
func hidden(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Head, atom.Iframe, atom.Object, atom.Canvas, atom.Audio, atom.Video,
		atom.Select, atom.Button, atom.Textarea, atom.Input, atom.Math, atom.Map, atom.Noframes, atom.Embed:
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
