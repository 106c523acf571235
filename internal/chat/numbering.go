package chat

import (
	"slices"
	"strconv"

	"docqa/internal/search"
)

// numbering renames the [n] of an answer, which name passages by their rank, to 1, 2, 3
// in the order in which the answer names them.
type numbering struct {
	passages []search.Passage
	named    []int // places of passages, by their new numbers
}

// byRank keeps the numbers as they are.
func (x *numbering) byRank() {
	for i := range x.passages {
		x.named = append(x.named, i)
	}
}

// rename gives text, of which every marker is whole, its new numbers. Parts of an
// answer must come in their order; the same text again gets the same numbers.
func (x *numbering) rename(text string) string {
	return marker.ReplaceAllStringFunc(text, func(found string) string {
		open := len(found) - len("]")
		for found[open-1] != '[' {
			open--
		}
		n, err := strconv.Atoi(found[open : len(found)-1])
		if err != nil || n < 1 || n > len(x.passages) {
			return found
		}
		at := slices.Index(x.named, n-1)
		if at < 0 {
			at = len(x.named)
			x.named = append(x.named, n-1)
		}
		return found[:open] + strconv.Itoa(at+1) + "]"
	})
}

// cited returns the passages that were named, by their new numbers.
func (x *numbering) cited() []search.Passage {
	out := make([]search.Passage, len(x.named))
	for i, at := range x.named {
		out[i] = x.passages[at]
	}
	return out
}
