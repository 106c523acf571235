package chat

import (
	"slices"
	"strconv"

	"docqa/internal/search"
)

// numbering renames the markers [n] of an answer. The model numbers passages by their rank;
// the answer numbers them 1, 2, 3 in the order in which it names them.
type numbering struct {
	passages []search.Passage
	named    []int // index of the passage of each new number
}

// keepRanks makes rename keep the numbers that the model gave.
func (n *numbering) keepRanks() {
	for i := range n.passages {
		n.named = append(n.named, i)
	}
}

// rename gives the markers of text their new numbers. No marker may be cut in two. Parts of
// an answer must come in their order; the same text again gets the same numbers.
func (n *numbering) rename(text string) string {
	return marker.ReplaceAllStringFunc(text, func(found string) string {
		open := len(found) - len("]")
		for found[open-1] != '[' {
			open--
		}
		number, err := strconv.Atoi(found[open : len(found)-1])
		if err != nil || number < 1 || number > len(n.passages) {
			return found
		}
		at := slices.Index(n.named, number-1)
		if at < 0 {
			at = len(n.named)
			n.named = append(n.named, number-1)
		}
		return found[:open] + strconv.Itoa(at+1) + "]"
	})
}

// cited returns the passages that were named, in the order of their new numbers.
func (n *numbering) cited() []search.Passage {
	out := make([]search.Passage, len(n.named))
	for i, at := range n.named {
		out[i] = n.passages[at]
	}
	return out
}
