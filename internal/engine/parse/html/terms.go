package html

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"docqa/internal/engine/doc"
)

const (
	wordsOfTerm = 8   // more are no term
	insetStep   = 2.0 // per cent of a line: text that is indented by less is not indented
	insetOfBox  = 10  // per cent that an element counts that is indented by its class
	perEm       = 2.0 // per cent of a line that an em takes
	longEntry   = 50  // more pieces do not belong to one term
)

// setTerms finds terms and definitions that have no elements of their own, as converters of
// manual pages write them: a line in bold type, and below it text that is indented more.
func setTerms(all []piece) {
	for i := 0; i+1 < len(all); i++ {
		term, next := &all[i], &all[i+1]
		if term.kind != doc.Paragraph || !term.mark || term.words > wordsOfTerm || next.inset < term.inset+insetStep || ends(term.text) {
			continue
		}
		term.kind, term.level = doc.Term, 1
		for j := i + 1; j < min(len(all), i+longEntry) && all[j].inset >= term.inset+insetStep && all[j].kind != doc.Heading; j++ {
			if all[j].kind == doc.Paragraph {
				all[j].kind, all[j].level = doc.Definition, 1
			}
		}
	}
}

// ends reports whether a text ends as a sentence does.
func ends(text string) bool { return strings.ContainsAny(text[len(text)-1:], ".!?;:,") }

// inset returns how far an element is indented by its margin or class, in per cent of a line.
func inset(n *html.Node) float64 {
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
