package reading

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"docqa/internal/engine/doc"
	parse "docqa/internal/engine/parse/html"
)

// Measure is what is known of one page or, added up, of a set. All counts are words.
type Measure struct {
	Article int // visible text of the article
	Missing int // of it, not indexed
	Foreign int // indexed, but no text of the article
}

// Add adds another measure.
func (m *Measure) Add(o Measure) {
	m.Article += o.Article
	m.Missing += o.Missing
	m.Foreign += o.Foreign
}

// Indexed is the share of the article's words that are indexed, 0 to 1.
func (m *Measure) Indexed() float64 {
	return 1 - float64(m.Missing)/float64(max(m.Article, 1))
}

// Page measures a page: words are compared as often as they occur.
func Page(source string) (Measure, error) {
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return Measure{}, fmt.Errorf("parse the page: %w", err)
	}
	d, err := parse.Parse(source)
	if err != nil {
		return Measure{}, err
	}
	var text strings.Builder
	article := find(root, func(n *html.Node) bool {
		return attribute(n, "role") == "main" || has(n, "manual-text") || n.Data == "main"
	})
	if article == nil {
		article = root
	}
	visible(article, &text, 0)
	return compare(strings.Fields(text.String()), indexed(d)), nil
}

func indexed(d *doc.Document) []string {
	var words []string
	for _, b := range d.Pages[0].Blocks {
		words = append(words, strings.Fields(b.Text)...)
	}
	return words
}

func compare(article, indexed []string) Measure {
	m := Measure{Article: len(article)}
	count := map[string]int{}
	for _, w := range indexed {
		count[w]++
	}
	for _, w := range article {
		if count[w] == 0 {
			m.Missing++
			continue
		}
		count[w]--
	}
	for _, n := range count {
		m.Foreign += n
	}
	return m
}

// find returns the first element for which is holds.
func find(n *html.Node, is func(*html.Node) bool) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && is(d) {
			return d
		}
	}
	return nil
}

// deepest is the depth up to which a page is read.
const deepest = 500

// visible writes the text below n that a reader sees as text of the article.
func visible(n *html.Node, b *strings.Builder, depth int) {
	if depth > deepest || n.Type == html.ElementNode && outside(n) {
		return
	}
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		visible(k, b, depth+1)
	}
	if n.Type == html.ElementNode && !slices.Contains([]string{"span", "em", "b", "i", "strong", "code", "a", "tt", "sub", "sup", "kbd", "var", "samp", "font", "small"}, n.Data) {
		b.WriteByte(' ')
	}
}

// outside reports whether an element is no part of the article: code and controls, what is switched off, and what the generators
// of manuals mark as navigation: Sphinx, DocBook, Texinfo, mandoc and the tools of single projects.
func outside(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "head", "noscript", "template", "svg", "select", "button", "nav", "input", "textarea":
		return true
	}
	hidden := strings.Contains(strings.ReplaceAll(attribute(n, "style"), " ", ""), "display:none")
	return hidden || has(n, "headerlink", "sphinxsidebar", "related", "toc", "contents", "local", "navheader", "navfooter", "header", "head", "foot", "nosearch",
		"fancy_toc", "menu", "nav-panel")
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// has reports whether an element has one of the classes.
func has(n *html.Node, classes ...string) bool {
	return slices.ContainsFunc(strings.Fields(attribute(n, "class")), func(c string) bool { return slices.Contains(classes, c) })
}
