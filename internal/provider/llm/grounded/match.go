package grounded

import (
	"slices"
	"strings"

	"docqa/internal/engine/sentence"
	"docqa/internal/provider/llm"
	"docqa/internal/provider/llm/grounded/refusal"
	"docqa/internal/provider/llm/grounded/support"
)

const (
	contrary  = 0.25 // a sentence with less support is left out of a reply without markers
	wordsSaid = 3    // a sentence with fewer words says too little to be compared
)

// unsupported tells whether the reply is no answer only because no passage holds it.
func (f *filter) unsupported() bool {
	return f.request.Strict && !f.released && !f.refused && !f.declined
}

// cite puts markers into a reply that has none. Sentences that nothing supports are left out; if
// no sentence is supported, the reply is no answer.
func (f *filter) cite() {
	var whole strings.Builder
	starts := make([]int, len(f.held))
	for i := range f.held {
		starts[i] = whole.Len()
		if f.held[i].passage == 0 {
			whole.WriteString(f.held[i].text)
		}
	}
	text := whole.String()
	s := support.New(f.known.passages, f.request.Question)
	out := make([]item, 0, len(f.held)+8)
	next, found := 0, false
	for _, sp := range sentence.Split(text) {
		for ; next < len(f.held) && starts[next] < sp.Start; next++ {
			out = append(out, f.held[next])
		}
		from := next
		for next < len(f.held) && starts[next] < sp.End {
			next++
		}
		said := text[sp.Start:sp.End]
		m := s.Best(prose(f.held[from:next], said))
		switch {
		case m.Passage > 0 && m.Share >= support.Enough && !m.Unknown:
			found = true
			out = append(out, marked(f.held[from:next], m.Passage)...)
		case m.Share >= contrary || !f.says(said):
			out = append(out, f.held[from:next]...)
		}
	}
	if found {
		f.held = trimmed(append(out, f.held[next:]...))
		f.release()
	}
}

// prose returns the text of a sentence without the listing behind it, and said if it has no other.
func prose(items []item, said string) string {
	var out strings.Builder
	for i := range items {
		if items[i].listing {
			break
		}
		out.WriteString(items[i].text)
	}
	if len(strings.Fields(out.String())) < 2 {
		return said
	}
	return out.String()
}

// says tells whether a sentence states something that a passage must hold: not a few words, an
// announcement, a question or a part of a table.
func (f *filter) says(text string) bool {
	return len(strings.Fields(text)) >= wordsSaid && !strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "?") &&
		!strings.HasPrefix(text, "|") && !strings.HasPrefix(text, "#") && !refusal.Declines(text)
}

// marked returns the items of a sentence with a marker in front of its full stop, or in front of
// the code that it announces.
func marked(items []item, passage int) []item {
	at := len(items)
	for i := range items {
		if items[i].listing {
			at = i
			break
		}
	}
	for at > 0 && strings.TrimSpace(items[at-1].text) == "" {
		at--
	}
	if at == 0 {
		return items
	}
	last := items[at-1]
	body, stop := cutStop(last.text)
	switch {
	case last.code:
		body, stop = last.text, ""
	case strings.HasSuffix(last.text, ":"):
		body, stop = last.text[:len(last.text)-1], ":"
	case last.text == "|" && at > 1:
		body, stop = "", "|"
	}
	out := append([]item{}, items[:at-1]...)
	if body != "" {
		out = append(out, item{text: body, code: last.code})
	}
	if n := len(out); n > 0 && strings.TrimSpace(out[n-1].text) != "" {
		out = append(out, item{text: " "})
	}
	out = append(out, item{text: "[]", passage: passage})
	if stop == "|" {
		out = append(out, item{text: " "})
	}
	if stop != "" {
		out = append(out, item{text: stop})
	}
	return append(out, items[at:]...)
}

// trimmed returns items without white space at the beginning and at the end, and never two pieces
// of it in a row.
func trimmed(items []item) []item {
	var out []item
	for _, i := range items {
		if blank := strings.TrimSpace(i.text) == ""; blank && !i.code && i.passage == 0 {
			if len(out) == 0 {
				continue
			}
			if last := &out[len(out)-1]; strings.TrimSpace(last.text) == "" {
				if len(i.text) > len(last.text) {
					*last = i
				}
				continue
			}
		}
		out = append(out, i)
	}
	for len(out) > 0 && strings.TrimSpace(out[len(out)-1].text) == "" {
		out = out[:len(out)-1]
	}
	return out
}

// answer returns what was made of the reply.
func (f *filter) answer(ending llm.Ending) llm.Answer {
	a := llm.Answer{Usage: ending.Usage, Stop: ending.Stop, Level: "none"}
	if !f.released {
		return a
	}
	a.Answered, a.Text = true, f.text.String()
	var cited []int
	for _, m := range f.marks {
		cited = append(cited, m.passage)
	}
	s := support.New(f.known.passages, f.request.Question, cited...)
	a.Citations, a.Confidence = check(s, a.Text, f.marks)
	switch {
	case a.Confidence >= 0.75:
		a.Level = "high"
	case a.Confidence >= 0.5:
		a.Level = "medium"
	default:
		a.Level = "low"
	}
	return a
}

// The confidence in a sentence.
const (
	trusted   = 0.45 // of one that cites a passage that holds none of its words
	unchecked = 0.6  // of one that cites a passage in another language
	uncited   = 0.2  // of one that cites nothing and that nothing holds
	wrong     = 0.3  // of one with a figure that the cited passage does not have
	sure      = 0.98 // of one that the cited passage holds
	enough    = 0.7  // the support from which on a passage holds a cited sentence
)

// check returns what the sentences of an answer cite, with the places in the passages that hold
// them, and the confidence in the answer: the mean of its sentences', by their length.
func check(s *support.Support, text string, marks []placed) (citations []llm.Citation, confidence float64) {
	var sum, total float64
	next := 0
	for _, sp := range sentence.Split(text) {
		var cited []int
		for ; next < len(marks) && marks[next].at < sp.End; next++ {
			cited = append(cited, marks[next].passage)
		}
		plain := patterns().answered.ReplaceAllString(text[sp.Start:sp.End], "$1")
		var best support.Match
		for _, n := range cited {
			c := llm.Citation{Begin: sp.Start, End: sp.End, Passage: n, QuoteBegin: -1, QuoteEnd: -1}
			m := s.Best(plain, n)
			if m.Passage == n && m.Share >= support.Quoted {
				c.QuoteBegin, c.QuoteEnd = m.Begin, m.End
			}
			if best.Passage == 0 || m.Share > best.Share {
				best = m
			}
			if !slices.Contains(citations, c) {
				citations = append(citations, c)
			}
		}
		if words := float64(len(strings.Fields(plain))); words >= wordsSaid || len(cited) > 0 {
			if len(cited) == 0 {
				best = s.Best(plain)
			}
			sum += words * confidenceIn(s, plain, best, len(cited) > 0)
			total += words
		}
	}
	if total == 0 {
		return citations, trusted
	}
	return citations, sum / total
}

// confidenceIn returns the confidence in a sentence with the statement that holds it best.
func confidenceIn(s *support.Support, plain string, m support.Match, cited bool) float64 {
	switch {
	case !cited:
		return uncited + (sure-uncited)*m.Share
	case m.Unknown:
		return unchecked
	case m.Passage > 0 && !s.Figures(plain, m.Passage):
		return wrong
	}
	return trusted + (sure-trusted)*min(1, m.Share/enough)
}
