package retrieval

import (
	"unicode/utf8"
)

const (
	// mostJoined is how many chunks one passage may be joined of.
	mostJoined = 2
	// widestGap is how many code points of white space may lie between neighbours.
	widestGap = 8
)

// join adds p to a passage of list that it continues or leads up to in the same
// document, and tells whether there was one. A thought that a cut went through is one
// passage again, and what two neighbours share is shown once.
func join(list []Passage, p *Passage) bool {
	for i := range list {
		if whole, ok := joined(&list[i], p); ok {
			list[i] = whole
			return true
		}
	}
	return false
}

// joined is a and b, of which a is the better one, as one passage.
func joined(a, b *Passage) (Passage, bool) {
	first, second := a, b
	if b.Ordinal < a.Ordinal {
		first, second = b, a
	}
	adjacent := a.DocumentID == b.DocumentID && samePage(a.Page, b.Page) && first.Ordinal+int32(first.chunks()) == second.Ordinal
	if !adjacent || a.chunks()+b.chunks() > mostJoined || second.Start > first.End+widestGap || second.Start < first.Start || second.End < first.End {
		return Passage{}, false
	}
	whole := *a
	whole.ChunkID, whole.Ordinal, whole.HeadingPath = first.ChunkID, first.Ordinal, first.HeadingPath
	whole.Start, whole.End, whole.more = first.Start, second.End, a.chunks()+b.chunks()-1
	if second.Start < first.End {
		whole.Body = first.Body + behind(second.Body, int(first.End-second.Start))
	} else {
		whole.Body = first.Body + "\n\n"[:min(2, second.Start-first.End)] + second.Body
	}
	return whole, true
}

func samePage(a, b *int32) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// behind is text without its first n code points.
func behind(text string, n int) string {
	for ; n > 0 && text != ""; n-- {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return text
}
