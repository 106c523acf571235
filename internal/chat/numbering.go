package chat

import "slices"

// numbering numbers the passages that an answer cites: 1, 2, 3 in the order in which the answer
// names them. A passage is known by its place among the passages of the request, from 1.
type numbering struct {
	passages []int // of each number
	ranks    bool  // a passage keeps its place as its number
}

// number returns the number of a passage. A new passage gets the next one.
func (n *numbering) number(passage int) int {
	if n.ranks {
		return passage
	}
	at := slices.Index(n.passages, passage)
	if at < 0 {
		at = len(n.passages)
		n.passages = append(n.passages, passage)
	}
	return at + 1
}

// passage returns the passage that has a number.
func (n *numbering) passage(number int) int {
	if n.ranks {
		return number
	}
	return n.passages[number-1]
}
