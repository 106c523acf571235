package generate

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"docqa/eval/manuals/source"
)

func (d *Document) readHTML(root *html.Node) {
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch {
		case n.DataAtom == atom.Dt:
			d.addDefinition(n)
		case n.DataAtom == atom.P && source.Attribute(n, "class") == "Pp":
			d.addIndented(n)
		case n.DataAtom == atom.P && strings.Contains(source.Attribute(n, "style"), "margin-left:11%"):
			d.addMargin(n)
		case n.Data == "h" && strings.HasPrefix(source.Attribute(n, "_id"), "pragma_"):
			d.addPragma(n)
		case n.DataAtom == atom.Table:
			d.addTable(n)
		case n.DataAtom == atom.Pre:
			d.addExample(n)
		case n.DataAtom == atom.H1, n.DataAtom == atom.H2, n.DataAtom == atom.H3, n.DataAtom == atom.H4:
			d.addSection(n)
		}
	}
}

func text(n *html.Node) string { return source.Spaces(source.NodeText(n)) }

// next returns the next element beside n, nil if there is none.
func next(n *html.Node) *html.Node {
	for s := n.NextSibling; s != nil; s = s.NextSibling {
		if s.Type == html.ElementNode {
			return s
		}
	}
	return nil
}

// previous returns the element before n; text between them ends the search.
func previous(n *html.Node) *html.Node {
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type == html.ElementNode {
			return s
		}
		if strings.TrimSpace(s.Data) != "" {
			return nil
		}
	}
	return nil
}

// addDefinition adds a term that is the only one of its definition.
func (d *Document) addDefinition(dt *html.Node) {
	dd := next(dt)
	if dd == nil || dd.DataAtom != atom.Dd {
		return
	}
	if before := previous(dt); before != nil && before.DataAtom == atom.Dt {
		return
	}
	e := entry{term: text(dt), body: text(dd)}
	if id := source.Attribute(dt, "id"); d.Set == "python" && strings.Contains(source.Attribute(dt, "class"), "sig-object py") {
		e.name = id
		e.call = parameters(dt)
	} else {
		e.name = nameOf(e.term)
	}
	d.addEntry(e)
}

// parameters returns the parameters of a Python signature that have a default.
func parameters(dt *html.Node) []parameter {
	var list []parameter
	for n := range dt.Descendants() {
		if n.DataAtom != atom.Em || !strings.Contains(source.Attribute(n, "class"), "sig-param") {
			continue
		}
		var p parameter
		for c := range n.Descendants() {
			switch class := source.Attribute(c, "class"); {
			case class == "n" && p.name == "":
				p.name = text(c)
			case strings.HasPrefix(class, "default_value"):
				p.value = text(c)
			}
		}
		list = append(list, p)
	}
	return list
}

// addIndented adds a term of mandoc that is a paragraph before an indented block.
func (d *Document) addIndented(p *html.Node) {
	body := next(p)
	if body == nil || source.Attribute(body, "class") != "Bd-indent" {
		return
	}
	term := text(p)
	if name := nameOf(term); strings.HasPrefix(name, "-") || strings.HasSuffix(name, "=") {
		d.addEntry(entry{term: term, name: name, body: text(body)})
	}
}

// addMargin adds a term of groff, whose explanation has a larger margin.
func (d *Document) addMargin(p *html.Node) {
	body := next(p)
	if body == nil || !strings.Contains(source.Attribute(body, "style"), "margin-left:22%") {
		return
	}
	if term := text(p); strings.HasPrefix(term, "-") {
		d.addEntry(entry{term: term, name: nameOf(term), body: text(body)})
	}
}

// addPragma adds a pragma of SQLite: the paragraphs behind its syntax, up to the next one.
func (d *Document) addPragma(h *html.Node) {
	e := entry{name: "PRAGMA " + strings.TrimPrefix(source.Attribute(h, "_id"), "pragma_")}
	var body []string
	for s := h.NextSibling; s != nil && s.Data != "h"; s = s.NextSibling {
		if s.Type != html.ElementNode {
			continue
		}
		switch {
		case s.DataAtom == atom.P && e.term == "":
			e.term = text(s)
		case s.DataAtom == atom.P:
			body = append(body, text(s))
		}
	}
	e.body = strings.Join(body, " ")
	d.addEntry(e)
}

// addTable adds the cells of a table with a header and few columns.
func (d *Document) addTable(table *html.Node) {
	var headers []string
	for n := range table.Descendants() {
		if n.DataAtom != atom.Tr {
			continue
		}
		var cells []string
		isHeader := true
		for c := range n.ChildNodes() {
			switch c.DataAtom {
			case atom.Td:
				isHeader = false
				cells = append(cells, text(c))
			case atom.Th:
				cells = append(cells, text(c))
			}
		}
		switch {
		case isHeader && headers == nil:
			headers = cells
		case len(cells) == len(headers) && len(cells) >= 2 && len(cells) <= 4:
			for i := 1; i < len(cells); i++ {
				d.rows = append(d.rows, row{headers[0], cells[0], headers[i], cells[i], strings.Join(cells, " ")})
			}
		}
	}
}

// addExample adds code with the paragraph before it.
func (d *Document) addExample(pre *html.Node) {
	at := pre
	for at.Parent != nil && (at.Parent.DataAtom == atom.Div && strings.Contains(source.Attribute(at.Parent, "class"), "highlight") ||
		at.Parent.DataAtom == atom.Blockquote) {
		at = at.Parent
	}
	if p := previous(at); p != nil && p.DataAtom == atom.P {
		d.examples = append(d.examples, example{lead: text(p), code: strings.TrimSpace(source.NodeText(pre))})
	}
}

// addSection adds a heading with the paragraph behind it.
func (d *Document) addSection(h *html.Node) {
	p := next(h)
	for p != nil && (p.DataAtom == atom.A || p.DataAtom == atom.Span) {
		p = next(p)
	}
	if p != nil && p.DataAtom == atom.P && text(p) != "" {
		d.sections = append(d.sections, section{text(h), text(p)})
	}
}

func (d *Document) addEntry(e entry) {
	if e.name != "" && e.body != "" {
		d.entries = append(d.entries, e)
	}
}
