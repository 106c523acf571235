package manuals

import "hash/fnv"

// The two parts of the data. A document belongs to one of them with all its questions.
const (
	Learn  = "learn"  // models may be trained on it
	Unseen = "unseen" // figures are reported on it
)

const (
	partSalt    = "2"
	learnShare  = 60
	partBuckets = 100
)

// Part returns the part of a document. It depends on nothing but the names, so that it stays when documents are added.
func Part(set, file string) string {
	h := fnv.New64a()
	h.Write([]byte(partSalt + "/" + set + "/" + file))
	mixed := h.Sum64()
	mixed ^= mixed >> 33 // the low bits of FNV follow the last letters
	mixed *= 0xff51afd7ed558ccd
	mixed ^= mixed >> 33
	if mixed%partBuckets < learnShare {
		return Learn
	}
	return Unseen
}
