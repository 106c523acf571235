// Package postings packs the chunks that hold a term, each with the term's weight in it, and
// adds up the scores of chunks over several terms.
//
// It chooses no terms and reads no database. Its invariant: the weights that Pack wrote are
// read with an error below half a percent of MaxWeight. Other bytes give fewer postings, never
// a panic.
package postings

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// MaxWeight is larger than every weight of a term in a chunk: the tf part of BM25 with k1 1.2
// stays below 2.2.
const MaxWeight = 2.2

// Error is the largest difference between a weight and its packed value, for weights of at
// least half of it.
const Error = MaxWeight / math.MaxUint8 / 2

// Posting is a chunk that holds a term.
type Posting struct {
	Chunk  int64
	Weight float32 // 0 to MaxWeight
}

// Pack writes postings in the order of their chunks: the distance to the previous chunk as a
// varint, then the weight as one byte.
func Pack(list []Posting) []byte {
	packed, before := make([]byte, 0, 3*len(list)+binary.MaxVarintLen64), int64(0)
	for _, p := range list {
		packed = binary.AppendUvarint(packed, uint64(p.Chunk-before))
		weight := math.Round(float64(p.Weight) / MaxWeight * math.MaxUint8)
		packed = append(packed, byte(max(1, min(weight, math.MaxUint8))))
		before = p.Chunk
	}
	return packed
}

// Scores holds the scores of chunks for a question, by their ids.
type Scores map[int64]float64

// Add adds the score of a term, whose weight in the question is weight. If more is true, it
// counts for every chunk that holds the term, otherwise only for chunks that already have a
// score.
func (s Scores) Add(packed []byte, weight float64, more bool) {
	for chunk := int64(0); ; {
		step, size := binary.Uvarint(packed)
		if size <= 0 || size == len(packed) {
			return
		}
		chunk += int64(step)
		score, known := s[chunk]
		if known || more {
			s[chunk] = score + weight*float64(packed[size])*MaxWeight/math.MaxUint8
		}
		packed = packed[size+1:]
	}
}

// Drop removes chunks that were deleted.
func (s Scores) Drop(chunks []int64) {
	for _, chunk := range chunks {
		delete(s, chunk)
	}
}

// Best returns the n chunks with the highest scores, the best first. Behind them it returns
// those whose scores are less than margin below the last of the n, but at most limit chunks in
// all.
func (s Scores) Best(n, limit int, margin float64) []int64 {
	chunks := make([]int64, 0, len(s))
	for chunk := range s {
		chunks = append(chunks, chunk)
	}
	slices.SortFunc(chunks, func(a, b int64) int {
		return cmp.Or(cmp.Compare(s[b], s[a]), cmp.Compare(a, b))
	})
	if len(chunks) <= n {
		return chunks
	}
	least := s[chunks[n-1]] - margin
	for n < min(len(chunks), limit) && s[chunks[n]] > least {
		n++
	}
	return chunks[:n]
}
