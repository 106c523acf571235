package source

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Text returns the visible text of a document, with every run of white space as one space. The ending of its name says how it is read; pdftotext reads PDF.
func Text(ctx context.Context, name string, data []byte) (string, error) {
	switch path.Ext(name) {
	case ".html":
		root, err := html.Parse(bytes.NewReader(data))
		if err != nil {
			return "", fmt.Errorf("read %s: %w", name, err)
		}
		return Spaces(NodeText(root)), nil
	case ".pdf":
		text, err := PDFText(ctx, data)
		if err != nil {
			return "", fmt.Errorf("read %s: %w", name, err)
		}
		return Spaces(text), nil
	default:
		return Spaces(string(data)), nil
	}
}

// PDFText returns the text of a PDF as pdftotext prints it.
func PDFText(ctx context.Context, data []byte) (string, error) {
	cmd := exec.CommandContext(ctx, "pdftotext", "-q", "-", "-")
	cmd.Stdin = bytes.NewReader(data)
	out, err := cmd.Output()
	return string(out), err
}

// Spaces returns text with every run of white space as one space.
func Spaces(text string) string { return strings.Join(strings.Fields(text), " ") }

// Normal returns text with every run of white space as one space, and typographic quotes, dashes and spaces as plain ones.
func Normal(text string) string {
	return strings.Join(strings.Fields(plainSigns.Replace(text)), " ")
}

var plainSigns = strings.NewReplacer( //nolint:gochecknoglobals // a table
	"“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "‘", "'", "’", "'", "‚", "'", "′", "'", "`", "'", "´", "'",
	"‐", "-", "‑", "-", "–", "-", "—", "-", "−", "-", "\u00ad", "", "\u200b", "", "¶", "", "·", "*", "•", "*", "…", "...",
)

// NodeText returns the visible text below n. Elements that begin a line in a browser are separated by a line break.
func NodeText(n *html.Node) string {
	var b strings.Builder
	writeText(&b, n)
	return b.String()
}

func writeText(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
		return
	}
	if n.Type == html.ElementNode {
		if hidden[n.DataAtom] || isHeaderLink(n) {
			return
		}
		if !inline[n.DataAtom] {
			b.WriteString("\n")
			defer b.WriteString("\n")
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		writeText(b, c)
	}
}

// isHeaderLink reports whether n is the link beside a heading that repeats the heading's address.
func isHeaderLink(n *html.Node) bool {
	class := Attribute(n, "class")
	return n.DataAtom == atom.A && (strings.Contains(class, "headerlink") || strings.Contains(class, "copiable-anchor"))
}

// Attribute returns the value of an attribute of n, "" if it has none.
func Attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

var hidden = map[atom.Atom]bool{ //nolint:gochecknoglobals // a table
	atom.Script: true, atom.Style: true, atom.Head: true, atom.Template: true, atom.Noscript: true, atom.Svg: true,
}

var inline = map[atom.Atom]bool{ //nolint:gochecknoglobals // a table
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Cite: true, atom.Code: true, atom.Em: true, atom.Font: true, atom.I: true,
	atom.Kbd: true, atom.Mark: true, atom.Q: true, atom.S: true, atom.Samp: true, atom.Small: true, atom.Span: true, atom.Strong: true,
	atom.Sub: true, atom.Sup: true, atom.Time: true, atom.Tt: true, atom.U: true, atom.Var: true, atom.Del: true, atom.Ins: true,
	atom.Acronym: true, atom.Big: true, atom.Dfn: true, atom.Wbr: true,
}
