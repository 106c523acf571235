package html

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"docqa/internal/engine/doc"
)

// The shares that decide what is the article of a page.
const (
	enough  = 0.85 // of the prose a part must hold to be taken for the whole
	tooFew  = 0.5  // what must remain of it, or the whole body is taken
	little  = 200  // words that a page of links may have besides them
	linked  = 0.5  // of its words in links make a short piece navigation
	shortly = 30   // words up to which a piece counts as short
	// mostlyText is the share of its words in links below which a box in an article is part of it.
	mostlyText = 0.25
)

// choose returns the pieces of the article of a page; of the whole body, but for its
// navigation, where no part stands out.
func choose(root *html.Node, all []piece) []piece {
	m := marker{known: map[*html.Node]place{}, said: map[*html.Node]int{}}
	weight := map[*html.Node]int{} // words of prose of an element, then of all below it
	prose, aside := 0, 0
	for _, p := range all {
		if !p.prose() {
			continue
		}
		if at := m.place(p.node); at.role != content {
			aside += p.words
			m.said[at.box] += p.words
			continue
		}
		prose += p.words
		weight[p.node] += p.words
	}
	sum(root, weight)
	if prose == 0 || float64(prose) < tooFew*float64(aside) {
		return body(all, &m)
	}
	top := narrow(root, weight, prose)
	var kept []piece
	words, reached := 0, false
	for _, p := range all {
		inside := contained(p.node, top)
		reached = reached || inside
		if m.keeps(&p, inside, reached) {
			kept = append(kept, p)
			words += p.words
		}
	}
	if whole := body(all, &m); words < little && float64(words) < tooFew*float64(total(whole)) {
		return whole
	}
	return kept
}

// keeps reports whether a piece belongs to the article, which is inside one element; reached
// says that the element has begun.
func (m *marker) keeps(p *piece, inside, reached bool) bool {
	at := m.place(p.node)
	switch at.role {
	case content:
		return inside && !p.navigation() || !reached && (p.prose() || p.level == 1)
	case beside:
		return inside && m.said[at.box] > 0 && float64(p.links) < mostlyText*float64(p.words)
	case navigation, around:
	}
	return false
}

// countLeftOut counts the pieces that were not chosen, by what they are to the page.
func countLeftOut(d *doc.Document, all, chosen []piece) {
	m := marker{known: map[*html.Node]place{}}
	for i := range all {
		p := &all[i]
		if len(chosen) > 0 && chosen[0].index == i {
			chosen = chosen[1:]
			continue
		}
		reason := doc.Surroundings
		if m.role(p.node) == navigation || p.navigation() {
			reason = doc.Navigation
		}
		d.LeaveOut(reason, utf8.RuneCountInString(p.text))
	}
}

// sum adds the weight of everything below n to its own, and returns it.
func sum(n *html.Node, weight map[*html.Node]int) int {
	w := weight[n]
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		w += sum(k, weight)
	}
	if w > 0 {
		weight[n] = w
	}
	return w
}

func total(pieces []piece) int {
	n := 0
	for _, p := range pieces {
		n += p.words
	}
	return n
}

// body keeps everything but the navigation.
func body(all []piece, m *marker) []piece {
	kept := slices.DeleteFunc(slices.Clone(all), func(p piece) bool { return m.role(p.node) == navigation })
	if len(kept) == 0 {
		return all
	}
	return kept
}

// narrow goes down from root as long as one child holds enough of the prose.
func narrow(root *html.Node, weight map[*html.Node]int, prose int) *html.Node {
	top := root
	for {
		var next *html.Node
		for k := top.FirstChild; k != nil; k = k.NextSibling {
			if float64(weight[k]) >= enough*float64(prose) {
				next = k
			}
		}
		if next == nil || !container(next) || section(next) && oneOfSections(next) {
			return top
		}
		top = next
	}
}

// oneOfSections reports whether a section with a heading stands below a heading or beside a section with a
// heading of its level: the article is what holds all of them, even if one is by far the longest.
func oneOfSections(n *html.Node) bool {
	level := firstHeading(n)
	for k := n.Parent.FirstChild; k != nil && level > 0; k = k.NextSibling {
		if k != n && (headingLevel(k) > 0 || section(k) && firstHeading(k) == level) {
			return true
		}
	}
	return false
}

// firstHeading returns the level of the first heading in an element, 0 without one.
func firstHeading(n *html.Node) int {
	for d := range n.Descendants() {
		if level := headingLevel(d); level > 0 {
			return level
		}
	}
	return 0
}

// headingLevel returns the level of a heading's element, 0 for any other node.
func headingLevel(n *html.Node) int {
	if n.Type == html.ElementNode && len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
		return int(n.Data[1] - '0')
	}
	return 0
}

// section reports whether an element is a section by its name or class.
func section(n *html.Node) bool {
	return n.Data == "section" || class(n, "section", "sect1", "chapter", "refsect1", "refsection")
}

// container reports whether an element may hold a whole article. A list or a quotation is a part
// of one, however long it is.
func container(n *html.Node) bool {
	switch n.Data {
	case "html", "body", "main", "article", "section", "div", "center", "form", "table", "tbody", "tr", "td", "font", "span":
		return true
	}
	return false
}

func contained(n, top *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == top {
			return true
		}
	}
	return false
}

// prose tells whether a piece is running text, as articles have it.
func (p *piece) prose() bool {
	switch p.kind {
	case doc.Paragraph, doc.ListItem, doc.Definition, doc.Note, doc.Footnote:
		return p.words >= 10 && float64(p.links) < 0.4*float64(p.words)
	case doc.Code, doc.TableRow:
		return p.words >= 3 && float64(p.links) < 0.4*float64(p.words)
	case doc.Heading, doc.TableHeader, doc.Term, doc.Caption, doc.Contents:
	}
	return false
}

// navigation tells whether a piece only leads elsewhere.
func (p *piece) navigation() bool {
	if p.kind == doc.Heading || p.kind == doc.Term || p.words >= shortly {
		return false
	}
	return float64(p.links) > linked*float64(p.words) || p.leads > 0 && float64(p.leads) > linked*float64(p.named)
}

// role is what an element is to its page.
type role uint8

const (
	content    role = iota
	navigation      // menus, the site's head and foot
	beside          // a box that belongs to the article or not, depending on where it stands
	around          // what stands beside an article: comments, advertising, related links
)

// place is what an element is to its page, and whether it stands in its article.
type place struct {
	role    role
	article bool
	box     *html.Node // the outermost element that has the role
}

// marker finds the places of elements and remembers them.
type marker struct {
	known map[*html.Node]place
	said  map[*html.Node]int // words of prose in a box
}

// role is the first role other than content among n and the elements around it.
func (m *marker) role(n *html.Node) role { return m.place(n).role }

func (m *marker) place(n *html.Node) place {
	if n == nil || n.Type != html.ElementNode || n.Data == "body" || n.Data == "html" {
		return place{}
	}
	if p, ok := m.known[n]; ok {
		return p
	}
	above := m.place(n.Parent)
	p := place{role: own(n, above.article), article: above.article || n.Data == "article" || n.Data == "main", box: n}
	if above.role != content && p.role != navigation {
		p.role, p.box = above.role, above.box
	}
	m.known[n] = p
	return p
}

// own is the role that an element's tag, role, class and id state.
func own(n *html.Node, inArticle bool) role {
	switch n.Data {
	case "nav", "menu":
		return navigation
	case "header", "footer":
		if !inArticle {
			return navigation
		}
	case "aside":
		if class(n, "footnote", "footnotes") {
			return content
		}
		return around
	case "table":
		if class(n, "head", "foot") {
			return navigation // of a manual page
		}
	case "article", "main", "h1", "h2", "h3", "p", "tr", "td", "pre", "code":
		return content
	}
	var names strings.Builder
	for _, a := range n.Attr {
		switch a.Key {
		case "role":
			switch a.Val {
			case "navigation", "banner", "contentinfo", "menu", "menubar", "search", "dialog", "alertdialog":
				return navigation
			case "complementary":
				return around
			}
		case "id":
			// Generators make the ids of sections of the words of their headings.
			if n.Data != "section" && strings.Count(a.Val, "-") < 2 {
				names.WriteString(" " + strings.ToLower(a.Val))
			}
		case "class":
			names.WriteString(" " + strings.ToLower(a.Val))
		}
	}
	return named(names.String())
}

// named returns the role that the words of a class or id tell.
func named(names string) role {
	if names == "" {
		return content
	}
	for _, w := range []string{"article-body", "articlebody", "post-body", "entry-content", "main-content", "article-content", "post-content", "story-body"} {
		if strings.Contains(names, w) {
			return content
		}
	}
	for w := range strings.FieldsFuncSeq(names, func(r rune) bool { return r == ' ' || r == '-' || r == '_' || r == ':' }) {
		switch w {
		case "nav", "navbar", "navheader", "navfooter", "nosearch", "navigation", "menu", "breadcrumb", "breadcrumbs", "pagination", "pager", "skip", "toolbar", "masthead", "topbar", "footer", "cookie", "cookies", "consent":
			return navigation
		case "sidebar", "caption", "credit", "author", "widget", "more":
			return beside
		case "comment", "comments", "disqus", "related", "share", "sharing", "social", "promo", "promoted", "newsletter", "subscribe", "subscription",
			"sponsor", "sponsored", "advert", "advertisement", "ad", "ads", "popup", "modal", "recommended", "recommendations", "outbrain", "taboola",
			"byline", "tags", "toc", "signup", "login", "respond", "popular", "trending", "teaser":
			return around
		}
	}
	return content
}
