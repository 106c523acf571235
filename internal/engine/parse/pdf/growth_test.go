package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"docqa/internal/engine/parse/pdf"
	"docqa/internal/testkit/growthtest"
)

// TestParse_takesLinearTime: no output of pdftotext of some hundred kilobytes keeps a worker busy.
func TestParse_takesLinearTime(t *testing.T) { //nolint:paralleltest // it measures
	for name, say := range map[string]func(p *printer, y float64){ //nolint:paralleltest // it measures
		"one block of many lines": func(p *printer, y float64) { p.add(72, y, "some words of text") },
		"entries":                 func(p *printer, y float64) { p.add(72, y, "-a"); p.add(108, y, "a word of text") },
		"terms alone":             func(p *printer, y float64) { p.add(72, y, "-a"); p.add(108, y+12, "a word of text") },
		"ever deeper entries":     func(p *printer, y float64) { p.add(y/4, y, "a") },
		"one row of many cells":   func(p *printer, y float64) { p.add(y, 100, "a") },
		"figures":                 func(p *printer, y float64) { p.add(72, y, "a 1 2 3"); p.add(300, y, "4") },
		"items":                   func(p *printer, y float64) { p.add(72, y, "1. a"); p.add(108, y, "b c d e") },
		"many pages":              func(p *printer, _ float64) { p.newPage(); p.say(72, 20, 10, "Head") },
	} {
		t.Run(name, func(t *testing.T) {
			growthtest.Linear(t, func(n int) string {
				p := &printer{}
				p.newPage()
				p.say(72, 20, 10, "Head")
				for y := 60.0; p.b.Len() < n && p.page < 1900; y += 14 {
					say(p, y)
				}
				return p.b.String()
			}, func(tsv string) { _, _ = pdf.Parse(strings.NewReader(tsv)) })
		})
	}
}

// add prints a line of the open block.
func (p *printer) add(x, y float64, line string) {
	fmt.Fprintf(&p.b, "4\t%d\t0\t0\t0\t0\t0\t0\t0\t0\t-1\t###LINE###\n", p.page)
	for i, w := range strings.Fields(line) {
		fmt.Fprintf(&p.b, "5\t%d\t0\t0\t0\t0\t%.2f\t%.2f\t%d\t12\t100\t%s\n", p.page, x+float64(i)*40, y, len(w)*6, w)
	}
}
