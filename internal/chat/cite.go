package chat

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"docqa/internal/engine/sentence"
	"docqa/internal/platform/column"
	"docqa/internal/search"
)

// sources lists the passages that the answer names by a marker [n], in the order of n, each
// with the sentences that name it. A number without a passage is ignored.
func sources(answer string, passages []search.Passage) column.Sources {
	spans := make([][]column.Span, len(passages))
	runes, at := 0, 0
	for _, s := range sentence.Split(answer) {
		runes += utf8.RuneCountInString(answer[at:s.Start])
		end := runes + utf8.RuneCountInString(answer[s.Start:s.End])
		for _, n := range markers(answer[s.Start:s.End]) {
			if n > len(passages) {
				continue
			}
			list := spans[n-1]
			if len(list) == 0 || list[len(list)-1].Start != runes {
				spans[n-1] = append(list, column.Span{Start: runes, End: end})
			}
		}
		runes, at = end, s.End
	}
	out := column.Sources{}
	for i := range passages {
		if len(spans[i]) > 0 {
			out = append(out, source(i+1, &passages[i], spans[i]))
		}
	}
	return out
}

func source(index int, p *search.Passage, spans []column.Span) column.Source {
	s := column.Source{
		Index: index, DocumentID: p.DocumentID, DocumentTitle: p.Title, Location: p.Filename, Excerpt: p.Body,
		ExcerptSpan: column.Span{Start: int(p.Start), End: int(p.End)}, SourceURL: p.SourceURL, Score: p.Score, Spans: spans,
		ChunkIDs: p.ChunkIDs,
	}
	if p.Page != nil {
		s.PageNumber = new(int(*p.Page))
	}
	return s
}

// markers returns the numbers of the markers [n] in text; 0 and numbers of more than three digits are none.
func markers(text string) []int {
	var out []int
	for {
		_, rest, ok := strings.Cut(text, "[")
		if !ok {
			return out
		}
		digits, after, ok := strings.Cut(rest, "]")
		if n, err := strconv.Atoi(digits); ok && err == nil && n > 0 && len(digits) <= 3 {
			out = append(out, n)
			rest = after
		}
		text = rest
	}
}
