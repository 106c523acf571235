package html

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"docqa/internal/engine/doc"
)

const (
	wordsOfTerm = 8   // more are no term
	wordsPlain  = 2   // more are no term, if they are set in the usual type
	longTerm    = 60  // words: what has more is no term, whatever its element says
	longAsked   = 40  // words of a question
	insetStep   = 2.0 // per cent of a line: text that is indented by less is not indented
	insetOfBox  = 10  // per cent that an element counts that is indented by its class
	insetQuote  = 4   // per cent that a quotation is indented
	perEm       = 2.0 // per cent of a line that an em takes
	longEntry   = 50  // more pieces do not belong to one term
	linksOfList = 4   // links to places of the same page that make a table of contents
	inLinks     = 0.8 // of its words in such links
)

// setTerms finds terms and definitions that have no elements of their own, as converters of
// manual pages write them: a line in bold type, and below it text that is indented more; or
// the bold beginning of a list item of several pieces; or a bold line below a rule.
func setTerms(all []piece) {
	for i := 0; i+1 < len(all); i++ {
		term, next := &all[i], &all[i+1]
		var belongs func(p *piece) bool
		switch {
		case term.ends() || next.kind == doc.Heading:
			continue
		case term.kind == doc.Paragraph && term.entry() && next.inset >= term.inset+insetStep:
			belongs = func(p *piece) bool { return p.inset >= term.inset+insetStep }
		case term.kind == doc.Paragraph && term.ruled && term.mark && term.words <= longAsked:
			belongs = func(p *piece) bool { return !p.ruled }
		case term.kind == doc.ListItem && term.mark && term.words <= wordsOfTerm && item(term) == item(next):
			belongs = func(p *piece) bool { return item(p) == item(term) }
		default:
			continue
		}
		adopt(all[i:], belongs)
	}
}

// adopt makes the first piece a term and those behind it that belong to it its definitions.
func adopt(all []piece, belongs func(p *piece) bool) {
	term := &all[0]
	was := term.kind
	term.kind, term.level = doc.Term, max(term.level, 1)
	for i := 1; i < min(len(all), longEntry) && all[i].kind != doc.Heading && belongs(&all[i]); i++ {
		if all[i].kind == doc.Paragraph || all[i].kind == was && all[i].level == term.level {
			all[i].kind, all[i].level = doc.Definition, term.level
		}
	}
}

// entry reports whether a piece can be the name of an entry: it is short, and in other type, an option, or
// no more than a word or two.
func (p *piece) entry() bool {
	return p.words <= wordsOfTerm && (p.mark || strings.HasPrefix(p.text, "-") || p.words <= wordsPlain)
}

// item returns the list item that holds a piece; nil outside of lists.
func item(p *piece) *html.Node {
	for n := p.node; n != nil; n = n.Parent {
		switch n.Data {
		case "li":
			return n
		case "ul", "ol", "td", "dd":
			return nil
		}
	}
	return nil
}

// setQuestions makes questions in other type terms: what follows up to the next one answers them.
func setQuestions(all []piece) {
	for i := range all {
		if all[i].asks() {
			adopt(all[i:], func(p *piece) bool { return !p.asks() })
		}
	}
}

// asks reports whether a piece is a paragraph in other type that ends as a question does.
func (p *piece) asks() bool {
	return p.kind == doc.Paragraph && p.mark && p.words <= longAsked && strings.ContainsAny(p.text[len(p.text)-1:], "?")
}

// setContents finds tables of contents: pieces that are nothing but links to places of the same page. A list
// that a sentence announces is none, nor are some items of a list.
func setContents(all []piece) {
	for i := 0; i < len(all); {
		to := i
		for to < len(all) && all[to].kind != doc.Heading && float64(all[to].inner) >= inLinks*float64(all[to].words) {
			to++
		}
		if to-i >= linksOfList && !listGoesOn(all, i, to) || to > i && all[i].inner >= 2*linksOfList {
			for j := i; j < to; j++ {
				all[j].kind, all[j].level = doc.Contents, 0
			}
		}
		i = to + 1
	}
}

// listGoesOn reports whether the pieces from i up to another have a part of their list, or the sentence that
// announces it, before or behind them.
func listGoesOn(all []piece, i, to int) bool {
	return i > 0 && (all[i-1].kind == all[i].kind || strings.HasSuffix(all[i-1].text, ":")) ||
		to < len(all) && all[to].kind == all[to-1].kind && all[to].kind == doc.ListItem
}

// closeTerms makes definitions without a term paragraphs: a list of terms may be there to indent a text.
func closeTerms(all []piece) {
	open := 0 // the level of the open term
	for i := range all {
		p := &all[i]
		switch p.kind {
		case doc.Term:
			open = p.level
		case doc.Definition:
			if open == 0 {
				p.kind, p.level = doc.Paragraph, 0
			}
		case doc.Paragraph, doc.Heading:
			open = 0
		case doc.ListItem, doc.TableHeader, doc.TableRow, doc.Code, doc.Caption, doc.Footnote, doc.Note, doc.Contents:
		}
	}
}

// unbroken returns the words of a text. A word that is hyphenated where a line of the page's source ends is one word.
func unbroken(text string) []string {
	words := strings.Fields(text)
	if !strings.Contains(text, "-\n") {
		return words
	}
	out := words[:0]
	at := 0
	for _, w := range words {
		start := at + strings.Index(text[at:], w)
		last := len(out) - 1
		if last >= 0 && at > 0 && text[at] == '\n' && compound(out[last], w) {
			out[last] += w
		} else {
			out = append(out, w)
		}
		at = start + len(w)
	}
	return out
}

// compound reports whether a word that ends with a hyphen goes on with the next one: "line-", "based",
// but not "pre-", "and".
func compound(word, next string) bool {
	stem, hyphen := strings.CutSuffix(word, "-")
	if !hyphen || stem == "" || !unicode.IsLetter(rune(stem[len(stem)-1])) || !unicode.IsLower(rune(next[0])) {
		return false
	}
	switch next {
	case "and", "or", "to", "und", "oder", "bis", "et", "ou", "y", "o", "e":
		return false
	}
	return true
}

// ends reports whether a piece ends as a sentence does.
func (p *piece) ends() bool { return strings.ContainsAny(p.text[len(p.text)-1:], ".!?:,") }

// inset returns how far an element is indented by its margin or class, in per cent of a line.
func inset(n *html.Node) float64 {
	if n.Data == "blockquote" {
		return insetQuote
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "style":
			_, rest, found := strings.Cut(strings.ToLower(strings.ReplaceAll(a.Val, " ", "")), "margin-left:")
			if !found {
				continue
			}
			value, _, _ := strings.Cut(rest, ";")
			for unit, percent := range map[string]float64{"%": 1, "em": perEm, "px": perEm / 16, "pt": perEm / 12} {
				number, ok := strings.CutSuffix(value, unit)
				if v, err := strconv.ParseFloat(number, 64); ok && err == nil && v > 0 {
					return min(v*percent, 100)
				}
			}
		case "class":
			if strings.Contains(strings.ToLower(a.Val), "indent") {
				return insetOfBox
			}
		}
	}
	return 0
}
