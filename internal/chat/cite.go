package chat

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"docqa/internal/platform/column"
	"docqa/internal/provider/llm"
	"docqa/internal/search"
)

// sources lists the passages that the answer cites, in the order of their numbers, each with
// the statements that rest on it.
func sources(a *llm.Answer, names *numbering, passages []search.Passage) column.Sources {
	out := column.Sources{}
	for _, c := range a.Citations {
		index := names.number(c.Passage)
		at := slices.IndexFunc(out, func(s column.Source) bool { return s.Index == index })
		if at < 0 {
			at = len(out)
			out = append(out, source(index, &passages[c.Passage-1]))
		}
		span := codePoints(a.Text, c.Begin, c.End)
		if s := &out[at]; !slices.Contains(s.Spans, span) {
			s.Spans = append(s.Spans, span)
		}
	}
	slices.SortFunc(out, func(a, b column.Source) int { return cmp.Compare(a.Index, b.Index) })
	return out
}

func source(index int, p *search.Passage) column.Source {
	s := column.Source{
		Index: index, DocumentID: p.DocumentID, DocumentTitle: p.Title, Location: p.Filename, Excerpt: p.Body,
		ExcerptSpan: column.Span{Start: int(p.Start), End: int(p.End)}, SourceURL: p.SourceURL, Score: p.Score,
		ChunkIDs: p.ChunkIDs,
	}
	if p.Page != nil {
		s.PageNumber = new(int(*p.Page))
	}
	return s
}

// codePoints converts a place in text from bytes to code points.
func codePoints(text string, begin, end int) column.Span {
	start := utf8.RuneCountInString(text[:begin])
	return column.Span{Start: start, End: start + utf8.RuneCountInString(text[begin:end])}
}
