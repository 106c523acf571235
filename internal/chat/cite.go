package chat

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"docqa/internal/engine/sentence"
	"docqa/internal/platform/column"
	"docqa/internal/provider/llm"
	"docqa/internal/search"
)

// leadIn is how far before the first quoted statement an excerpt may begin, in bytes.
const leadIn = 200

// cited is a passage with what the answer says of it.
type cited struct {
	passage   *search.Passage
	index     int // its number
	citations []llm.Citation
}

// sources lists the passages that the answer cites, in the order of their numbers, each with
// the statements that rest on it.
func sources(a *llm.Answer, names *numbering, passages []search.Passage) column.Sources {
	var list []cited
	for _, c := range a.Citations {
		index := names.number(c.Passage)
		at := slices.IndexFunc(list, func(s cited) bool { return s.index == index })
		if at < 0 {
			at = len(list)
			list = append(list, cited{passage: &passages[c.Passage-1], index: index})
		}
		list[at].citations = append(list[at].citations, c)
	}
	slices.SortFunc(list, func(a, b cited) int { return cmp.Compare(a.index, b.index) })
	out := column.Sources{}
	for i := range list {
		out = append(out, list[i].source(a.Text))
	}
	return out
}

// source returns a passage as it is shown with the answer.
func (c *cited) source(answer string) column.Source {
	p, from := c.passage, c.excerptStart()
	s := column.Source{
		Index: c.index, DocumentID: p.DocumentID, DocumentTitle: p.Title, Location: p.Filename, Excerpt: p.Body[from:],
		ExcerptSpan: column.Span{Start: int(p.Start) + utf8.RuneCountInString(p.Body[:from]), End: int(p.End)}, SourceURL: p.SourceURL,
		Score: p.Score, ChunkIDs: p.ChunkIDs,
	}
	if p.Page != nil {
		s.PageNumber = new(int(*p.Page))
	}
	for _, one := range c.citations {
		if span := codePoints(answer, one.Begin, one.End); !slices.Contains(s.Spans, span) {
			s.Spans = append(s.Spans, span)
		}
		if one.QuoteBegin < 0 {
			continue
		}
		if quote := codePoints(s.Excerpt, one.QuoteBegin-from, one.QuoteEnd-from); !slices.Contains(s.Quotes, quote) {
			s.Quotes = append(s.Quotes, quote)
		}
	}
	return s
}

// excerptStart returns the byte of the passage at which its excerpt begins: the first block, or
// else the first sentence, that begins shortly before what is quoted.
func (c *cited) excerptStart() int {
	quote := -1
	for _, one := range c.citations {
		if one.QuoteBegin >= 0 && (quote < 0 || one.QuoteBegin < quote) {
			quote = one.QuoteBegin
		}
	}
	if quote <= leadIn {
		return 0
	}
	block := 0 // of the quotation
	for _, m := range c.passage.Marks.List {
		if m.Start > quote {
			break
		}
		if m.Start >= quote-leadIn {
			return m.Start
		}
		block = m.Start
	}
	for s := range sentence.All(c.passage.Body[block:]) {
		if at := block + s.Start; at >= quote-leadIn {
			return min(at, quote)
		}
	}
	return quote
}

// codePoints converts a place in text from bytes to code points.
func codePoints(text string, begin, end int) column.Span {
	start := utf8.RuneCountInString(text[:begin])
	return column.Span{Start: start, End: start + utf8.RuneCountInString(text[begin:end])}
}
