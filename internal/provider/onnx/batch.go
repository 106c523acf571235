package onnx

import (
	"cmp"
	"errors"
	"slices"
)

// ErrNotBuilt says that this program was built without support for models in its process.
var ErrNotBuilt = errors.New("this program was built without cgo, which a model in the process needs: build it with CGO_ENABLED=1")

// The size of a batch. Padding costs as much as tokens do, so texts of similar length are
// computed together. Larger batches are slower on a CPU, delay the questions and take more
// memory (2,048 tokens: 80 MB more and 20 % slower than 512).
const (
	BatchTexts  = 16
	BatchTokens = 512
)

// Text is one text, or a pair of texts, as tokens.
type Text struct {
	IDs   []int64
	Kinds []int64 // to which text of a pair each token belongs, 0 or 1; nil: all to the first
}

// Batch is what a model computes at once: rows of one width, one after the other.
type Batch struct {
	IDs, Mask, Kinds []int64
	Rows, Width      int
}

// Each puts texts of similar length into batches and calls read for each batch, with the
// indexes of its texts. It stops at the first error.
func Each(texts []Text, padding int64, read func(b Batch, places []int) error) error {
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(texts[b].IDs), len(texts[a].IDs)) })
	for len(order) > 0 {
		width := len(texts[order[0]].IDs)
		n := min(len(order), BatchTexts, max(1, BatchTokens/max(1, width)))
		if err := read(pad(texts, order[:n], width, padding), order[:n]); err != nil {
			return err
		}
		order = order[n:]
	}
	return nil
}

// pad makes a batch of the texts at places. It fills shorter texts up to width.
func pad(texts []Text, places []int, width int, padding int64) Batch {
	n := len(places) * width
	b := Batch{IDs: make([]int64, n), Mask: make([]int64, n), Kinds: make([]int64, n), Rows: len(places), Width: width}
	for row, place := range places {
		t, at := texts[place], row*width
		copy(b.Kinds[at:], t.Kinds)
		copy(b.IDs[at:], t.IDs)
		for i := range width {
			if i < len(t.IDs) {
				b.Mask[at+i] = 1
				continue
			}
			b.IDs[at+i] = padding
		}
	}
	return b
}
