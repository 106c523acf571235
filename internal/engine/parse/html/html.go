package html

import (
	"strings"

	"golang.org/x/net/html"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
)

// Parse reads an HTML page in UTF-8. A page without any text gives the error no_text.
func Parse(source string) (*doc.Document, error) {
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return nil, parse.Failed(err)
	}
	all := collect(root)
	pieces := choose(root, all)
	b := doc.NewBuilder(0)
	for _, p := range pieces {
		b.Add(p.kind, p.level, strings.ToValidUTF8(p.text, "\ufffd"))
		if b.Size() > parse.MaxText {
			return nil, parse.TooLong()
		}
	}
	if b.Size() == 0 {
		return nil, parse.NoText()
	}
	return &doc.Document{Title: title(root), Pages: []doc.Page{b.Page()}}, nil
}

// title is the text of the title element.
func title(n *html.Node) string {
	if n.Data == "title" && n.FirstChild != nil {
		return strings.Join(strings.Fields(n.FirstChild.Data), " ")
	}
	if n.Data == "body" {
		return ""
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if t := title(k); t != "" {
			return t
		}
	}
	return ""
}
