package search

import (
	"unicode/utf8"

	"docqa/internal/platform/column"
)

// maxHighlights limits the spans of one passage.
const maxHighlights = 20

// Highlights returns where the words of the question occur in a passage, in code points of its
// body. Words of earlier questions are not highlighted.
func (r *Result) Highlights(p *Passage) []column.Span {
	var out []column.Span
	at, runes := 0, 0
	for _, hit := range r.Question.Find(p.Body).Hits {
		if hit.Start < at || !r.Question.Words[hit.Word].Current {
			continue
		}
		if len(out) == maxHighlights {
			break
		}
		start := runes + utf8.RuneCountInString(p.Body[at:hit.Start])
		end := start + utf8.RuneCountInString(p.Body[hit.Start:hit.End])
		out = append(out, column.Span{Start: start, End: end})
		at, runes = hit.End, end
	}
	return out
}
