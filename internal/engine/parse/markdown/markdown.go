package markdown

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"docqa/internal/engine/doc"
)

// Parse reads a Markdown text in UTF-8.
func Parse(source string) *doc.Document {
	w := walker{source: source, page: doc.NewSourceBuilder(0, source)}
	body := w.frontMatter()
	md := goldmark.New(goldmark.WithExtensions(extension.Table))
	w.offset = len(source) - len(body)
	w.blocks(md.Parser().Parse(text.NewReader([]byte(body))), 0)
	return &doc.Document{Title: w.title, Pages: []doc.Page{w.page.Page()}}
}

type walker struct {
	source string
	offset int // of the Markdown proper, after the front matter
	page   *doc.Builder
	title  string
}

// frontMatter marks a leading YAML block and returns what follows it.
func (w *walker) frontMatter() string {
	first, rest, _ := strings.Cut(w.source, "\n")
	if strings.TrimRight(first, "\r") != "---" {
		return w.source
	}
	at := len(first) + 1
	for line := range strings.Lines(rest) {
		entry := strings.TrimSpace(line)
		if entry == "---" {
			start, end := w.trim(len(first)+1, at)
			w.page.Mark(doc.Code, 0, start, end)
			return w.source[at+len(line):]
		}
		if entry == "" {
			break
		}
		if v, ok := strings.CutPrefix(entry, "title:"); ok {
			w.title = strings.Trim(strings.TrimSpace(v), `"'`)
		}
		at += len(line)
	}
	w.title = ""
	return w.source
}

// blocks marks the blocks below n; depth is the number of lists around them.
func (w *walker) blocks(n ast.Node, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading:
			w.heading(c)
		case *ast.Paragraph, *ast.TextBlock:
			w.mark(c, depth)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			w.lines(doc.Code, 0, c.Lines())
		case *ast.HTMLBlock:
			w.html(c)
		case *ast.List:
			w.blocks(c, depth+1)
		case *extast.Table:
			w.table(c)
		default:
			w.blocks(c, depth)
		}
	}
}

func (w *walker) heading(h *ast.Heading) {
	w.lines(doc.Heading, h.Level, h.Lines())
	if w.title == "" && h.Level == 1 && h.Lines().Len() > 0 {
		w.title = strings.TrimSpace(string(h.Lines().Value([]byte(w.source[w.offset:]))))
	}
}

func (w *walker) mark(n ast.Node, depth int) {
	kind := doc.Paragraph
	if depth > 0 {
		kind = doc.ListItem
	}
	w.lines(kind, depth, n.Lines())
}

// html marks a block of raw HTML that holds more than tags.
func (w *walker) html(n *ast.HTMLBlock) {
	depth := 0
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		for _, r := range w.source[w.offset+seg.Start : w.offset+seg.Stop] {
			switch {
			case r == '<':
				depth++
			case r == '>':
				depth--
			case depth <= 0 && r > ' ':
				w.lines(doc.Paragraph, 0, n.Lines())
				return
			}
		}
	}
}

// table marks the rows of a table, each as the whole line that it stands on.
func (w *walker) table(t *extast.Table) {
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		kind := doc.TableRow
		if row.Kind() == extast.KindTableHeader {
			kind = doc.TableHeader
		}
		if at := rowStart(row); at >= 0 {
			start, end := w.line(at)
			w.page.Mark(kind, 0, start, end)
		}
	}
}

// rowStart is a place in the row's line, -1 where the row is empty.
func rowStart(row ast.Node) int {
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		if cell.Lines().Len() > 0 {
			return cell.Lines().At(0).Start
		}
	}
	return -1
}

// line returns the line around a place, without white space at its ends.
func (w *walker) line(at int) (start, end int) {
	at += w.offset
	start = strings.LastIndexByte(w.source[:at], '\n') + 1
	end = len(w.source)
	if i := strings.IndexByte(w.source[at:], '\n'); i >= 0 {
		end = at + i
	}
	return w.trim(start, end)
}

// lines marks what lies between the first and the last line of a block.
func (w *walker) lines(kind doc.Kind, level int, lines *text.Segments) {
	if lines.Len() == 0 {
		return
	}
	start, end := w.trim(w.offset+lines.At(0).Start, w.offset+lines.At(lines.Len()-1).Stop)
	w.page.Mark(kind, level, start, end)
}

func (w *walker) trim(start, end int) (trimmedStart, trimmedEnd int) {
	s := w.source[start:end]
	start += len(s) - len(strings.TrimLeft(s, " \t\r\n"))
	return start, start + len(strings.TrimSpace(s))
}
