package search

import (
	"slices"
	"unicode/utf8"

	"docqa/internal/engine/sentvec"
)

// maxJoined is how many chunks may be joined into one passage.
const maxJoined = 3

// join joins p with a passage of list that comes directly before or after it in the same
// document, and reports whether there was one. Text that both contain appears once, and the
// text between them appears, too. If the text between them is not known, they are not joined,
// since a passage is verbatim.
func join(list []Passage, p *Passage) bool {
	for i := range list {
		if whole, ok := joined(&list[i], p); ok {
			list[i] = whole
			return true
		}
	}
	return false
}

// joined returns a and b as one passage, with the higher score of each kind. a is the better one.
// ok is false if they cannot be joined.
func joined(a, b *Passage) (Passage, bool) {
	first, second := a, b
	if b.Ordinal < a.Ordinal {
		first, second = b, a
	}
	adjacent := a.DocumentID == b.DocumentID && samePage(a.Page, b.Page) && first.Ordinal+int32(len(first.ChunkIDs)) == second.Ordinal
	if !adjacent || len(a.ChunkIDs)+len(b.ChunkIDs) > maxJoined || !meet(first, second) || second.Start < first.Start || second.End < first.End {
		return Passage{}, false
	}
	whole := *a
	whole.ChunkID, whole.Ordinal, whole.HeadingPath, whole.Context = first.ChunkID, first.Ordinal, first.HeadingPath, first.Context
	whole.ChunkIDs = slices.Concat(first.ChunkIDs, second.ChunkIDs)
	whole.Start, whole.End, whole.lead = first.Start, second.End, first.lead
	whole.Lexical, whole.Cosine, whole.Score = max(a.Lexical, b.Lexical), max(a.Cosine, b.Cosine), max(a.Score, b.Score)
	if second.Start < first.End {
		whole.Body = first.Body + skipRunes(second.Body, int(first.End-second.Start))
	} else {
		whole.Body = first.Body + second.lead + second.Body
	}
	whole.Sentences = sentences(first, second, utf8.RuneCountInString(whole.Body))
	return whole, true
}

// meet reports whether the text between first and second is known: they overlap or touch, or the
// text is stored with second.
func meet(first, second *Passage) bool {
	gap := int(second.Start - first.End)
	return gap <= 0 || utf8.RuneCountInString(second.lead) == gap
}

// sentences returns the sentences of first, and those of second that first does not have, at
// their positions in the joined body. length is that of the joined body in code points.
func sentences(first, second *Passage, length int) []sentvec.Score {
	shift := length - utf8.RuneCountInString(second.Body) // both end together
	known := utf8.RuneCountInString(first.Body)
	all := slices.Clone(first.Sentences)
	for _, s := range second.Sentences {
		if s.Start+shift >= known {
			all = append(all, sentvec.Score{Start: s.Start + shift, End: s.End + shift, Cosine: s.Cosine})
		}
	}
	return all
}

func samePage(a, b *int32) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// skipRunes returns text without its first n code points.
func skipRunes(text string, n int) string {
	for ; n > 0 && text != ""; n-- {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return text
}
