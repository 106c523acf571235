package grounded

import (
	"slices"
	"strings"

	"docqa/internal/engine/sentence"
	"docqa/internal/provider/llm"
)

// citations returns what the sentences of an answer cite by their markers.
func (f *filter) citations(text string) []llm.Citation {
	var out []llm.Citation
	for _, s := range sentence.Split(text) {
		for rest := text[s.Start:s.End]; ; {
			_, after, ok := strings.Cut(rest, "[")
			digits, _, closed := strings.Cut(after, "]")
			if !ok || !closed {
				break
			}
			c := llm.Citation{Begin: s.Start, End: s.End, Passage: f.named["["+digits+"]"], QuoteBegin: -1, QuoteEnd: -1}
			if c.Passage > 0 && !slices.Contains(out, c) {
				out = append(out, c)
			}
			rest = after
		}
	}
	return out
}
