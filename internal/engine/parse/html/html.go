package html

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
)

// Parse reads an HTML page in UTF-8. A page without any text gives the error no_text.
func Parse(source string) (*doc.Document, error) {
	root, err := html.Parse(strings.NewReader(withoutHead(source)))
	if err != nil {
		return nil, parse.Failed(err)
	}
	all, hiddenText := collect(root)
	name := title(root)
	setTitle(all, name)
	pieces := choose(root, all)
	d := &doc.Document{Title: name}
	countLeftOut(d, all, pieces)
	d.LeaveOut(doc.Hidden, hiddenText)
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
	d.Pages = []doc.Page{b.Page()}
	return d, nil
}

// httpHead finds the head of a reply of a web server, which some programs write before a page.
var httpHead = regexp.MustCompile(`^(?i:content-type: [^\r\n<]*)\r?\n(?:[A-Za-z][A-Za-z-]*: [^\r\n<]*\r?\n)*\r?\n\s*<`)

// withoutHead cuts the head of a web server's reply.
func withoutHead(source string) string {
	if m := httpHead.FindStringIndex(source); m != nil {
		return source[m[1]-1:]
	}
	return source
}

// setTitle makes a paragraph that repeats the title of the page its heading, if no heading stands before it.
func setTitle(all []piece, title string) {
	for i := range all {
		switch {
		case all[i].kind == doc.Heading:
			return
		case all[i].kind == doc.Paragraph && all[i].text == title:
			all[i].kind, all[i].level = doc.Heading, 1
			return
		}
	}
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
