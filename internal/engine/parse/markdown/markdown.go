package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"docqa/internal/engine/doc"
)

// Parse reads a Markdown text in UTF-8.
func Parse(source string) *doc.Document {
	w := walker{source: source, page: doc.NewSourceBuilder(0, source)}
	body := w.frontMatter()
	w.offset = len(source) - len(body)
	w.blocks(newParser().Parse(text.NewReader([]byte(body))), 0)
	return &doc.Document{Title: w.title, Pages: []doc.Page{w.page.Page()}, Markdown: true}
}

type walker struct {
	source string
	offset int // of the Markdown proper, after the front matter
	page   *doc.Builder
	title  string
	inNote bool // inside of a quotation that is a note
	term   bool // inside of a list item that begins with a term
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
		w.block(c, depth)
	}
}

// block marks a block and what is below it.
func (w *walker) block(n ast.Node, depth int) {
	switch c := n.(type) {
	case *ast.Heading:
		w.heading(c)
	case *ast.Paragraph, *ast.TextBlock:
		w.paragraph(c.Lines(), depth)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		w.lines(doc.Code, 0, c.Lines(), 0, c.Lines().Len())
	case *ast.HTMLBlock:
		w.html(c)
	case *ast.List:
		w.blocks(c, depth+1)
	case *ast.ListItem:
		w.item(c, depth)
	case *ast.Blockquote:
		was := w.inNote
		w.inNote = was || w.note(c)
		w.blocks(c, depth)
		w.inNote = was
	default:
		w.blocks(c, depth)
	}
}

func (w *walker) heading(h *ast.Heading) {
	lines := w.text(h.Lines())
	if table(lines) >= 0 { // the dashes below it underline a table
		w.paragraph(h.Lines(), 0)
		return
	}
	w.lines(doc.Heading, h.Level, h.Lines(), 0, len(lines))
	if w.title == "" && h.Level == 1 {
		w.title = strings.TrimSpace(strings.Join(lines, ""))
	}
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
				w.lines(doc.Paragraph, 0, n.Lines(), 0, n.Lines().Len())
				return
			}
		}
	}
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

// lines marks what the lines from one to before another of a block hold.
func (w *walker) lines(kind doc.Kind, level int, lines *text.Segments, from, to int) {
	if from >= to {
		return
	}
	start, end := w.trim(w.offset+lines.At(from).Start, w.offset+lines.At(to-1).Stop)
	w.page.Mark(kind, level, start, end)
}

func (w *walker) trim(start, end int) (trimmedStart, trimmedEnd int) {
	s := w.source[start:end]
	start += len(s) - len(strings.TrimLeft(s, " \t\r\n"))
	return start, start + len(strings.TrimSpace(s))
}
