package quickstart

import (
	"fmt"
	"io"
	"strings"
	"time"

	"docqa/internal/apiclient"
)

const barWidth = 30

// printer prints each step for a person.
type printer struct {
	out      io.Writer
	terminal bool
}

func (p printer) line(format string, args ...any) { _, _ = fmt.Fprintf(p.out, format+"\n", args...) }

func (p printer) step(format string, args ...any) { p.line("\n• "+format, args...) }

// progress draws a bar on a terminal. Elsewhere it prints nothing, because every call would
// add a line.
func (p printer) progress(g apiclient.Progress) {
	if !p.terminal || g.Total == 0 {
		return
	}
	done := g.Indexed + g.Failed
	full := barWidth * done / g.Total
	_, _ = fmt.Fprintf(p.out, "\r  indexing  [%s%s] %d/%d ", strings.Repeat("█", full), strings.Repeat("·", barWidth-full), done, g.Total)
}

func (p printer) endProgress() {
	if p.terminal {
		p.line("")
	}
}

func (p printer) question(q Question, followUp bool) {
	how := "POST /v1/chat"
	if q.Mode == "stream" {
		how = "POST /v1/chat/stream"
	}
	if followUp {
		how += ", same session"
	}
	p.step("%s\n  ? %s", how, q.Question)
	_, _ = fmt.Fprint(p.out, "  → ")
}

func (p printer) text(s string) { _, _ = fmt.Fprint(p.out, strings.ReplaceAll(s, "\n", "\n    ")) }

func (p printer) endText() { p.line("") }

func (p printer) sources(a answer, took time.Duration) {
	for i := range a.sources {
		s := &a.sources[i]
		p.line("    [%d] %s: “%s”", s.Index, apiclient.Place(s), apiclient.Quote(s))
	}
	p.line("    (%s)", took.Round(time.Millisecond))
}
