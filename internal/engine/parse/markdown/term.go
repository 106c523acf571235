package markdown

import (
	"regexp"

	"github.com/yuin/goldmark/ast"

	"docqa/internal/engine/doc"
)

var (
	// named finds a list item that begins with its name: "**name** – text", "`--option` text".
	named = regexp.MustCompile("^(?:(\\*\\*[^*\\n]{1,80}\\*\\*|__[^_\\n]{1,80}__|`[^`\\n]{1,80}`)(?:\\s?[–—:]|\\s-)|(\\*\\*[^*\\n]{1,80}:\\*\\*|`-[^`\\n]{1,80}`))\\s+")
	// noted finds the beginning of a note: "**Note**", "[!TIP]", "Warning:".
	noted = regexp.MustCompile(`(?i)^(?:\[!\w+\]|\*{0,2}_{0,2}(?:note|tip|hint|warning|important|caution|hinweis|tipp|achtung|wichtig)(?:\*|_|:|$))`)
)

// note reports whether a quotation begins as notes do.
func (w *walker) note(q *ast.Blockquote) bool {
	first := q.FirstChild()
	if first == nil || first.Type() != ast.TypeBlock || first.Lines().Len() == 0 {
		return false
	}
	segment := first.Lines().At(0)
	start, end := w.trim(w.offset+segment.Start, w.offset+segment.Stop)
	return noted.MatchString(w.source[start:end])
}

// item marks a list item. One that begins with a name is a term and its definition.
func (w *walker) item(n *ast.ListItem, depth int) {
	first := n.FirstChild()
	was := w.term
	w.term = false
	defer func() { w.term = was }()
	if first == nil || first.Type() != ast.TypeBlock || first.Lines() == nil || first.Lines().Len() == 0 || !isText(first) {
		w.blocks(n, depth)
		return
	}
	lines := first.Lines()
	start, end := w.trim(w.offset+lines.At(0).Start, w.offset+lines.At(lines.Len()-1).Stop)
	m := named.FindStringSubmatchIndex(w.source[start:end])
	if m == nil || start+m[1] >= end {
		w.blocks(n, depth)
		return
	}
	w.page.Mark(doc.Term, depth, start, start+max(m[3], m[5]))
	w.page.Mark(doc.Definition, depth, start+m[1], end)
	w.term = true
	w.after(first, depth)
}

func isText(n ast.Node) bool {
	switch n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return true
	}
	return false
}

// after marks the blocks behind a node.
func (w *walker) after(n ast.Node, depth int) {
	for c := n.NextSibling(); c != nil; c = c.NextSibling() {
		w.block(c, depth)
	}
}
