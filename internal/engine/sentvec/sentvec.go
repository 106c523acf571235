package sentvec

import (
	"encoding/binary"
	"math"
)

// Sentence is a part of a chunk's body with its vector.
type Sentence struct {
	Start, End int // code points of the body; End is the one after the last
	Vector     []float32
}

// Score says how similar a sentence and a question are.
type Score struct {
	Start, End int     // code points of the body
	Cosine     float64 // -1 to 1
}

// The packed form: format, dimensions and number of sentences; then for each sentence its
// start (as the distance to the previous start), its length, a scale and one signed byte for
// each dimension. Numbers are varints; the scale is a little-endian float32.
const (
	format     = 1
	scaleBytes = 4
	levels     = math.MaxInt8
)

// Pack writes sentences in ascending order of Start. Their vectors must have the same number
// of dimensions. Only the direction of a vector is kept, not its norm.
func Pack(sentences []Sentence) []byte {
	size := 0
	if len(sentences) > 0 {
		size = len(sentences[0].Vector)
	}
	packed := make([]byte, 0, 2*binary.MaxVarintLen32+len(sentences)*(size+scaleBytes+binary.MaxVarintLen32))
	packed = append(packed, format)
	packed = binary.AppendUvarint(packed, uint64(size))
	packed = binary.AppendUvarint(packed, uint64(len(sentences)))
	before := 0
	for _, s := range sentences {
		packed = binary.AppendVarint(packed, int64(s.Start-before))
		packed = binary.AppendVarint(packed, int64(s.End-s.Start))
		packed = appendVector(packed, s.Vector)
		before = s.Start
	}
	return packed
}

// appendVector rounds v to the values of a signed byte. The scale gives the rounded vector the
// norm 1, so that its inner product with another vector of norm 1 is the cosine.
func appendVector(packed []byte, v []float32) []byte {
	var largest float64
	for _, x := range v {
		largest = max(largest, math.Abs(float64(x)))
	}
	if largest == 0 {
		largest = 1
	}
	at := len(packed)
	packed = append(packed, make([]byte, scaleBytes)...)
	var sum float64
	for _, x := range v {
		q := math.Round(float64(x) / largest * levels)
		sum += q * q
		packed = append(packed, byte(int8(q)))
	}
	var scale float64
	if sum > 0 {
		scale = 1 / math.Sqrt(sum)
	}
	binary.LittleEndian.PutUint32(packed[at:], math.Float32bits(float32(scale)))
	return packed
}

// Cosines compares each packed sentence with query, whose norm is 1. It returns none if packed
// is not the result of Pack, or if its dimensions differ from query's.
func Cosines(packed []byte, query []float32) []Score {
	r := reader{rest: packed}
	if len(packed) == 0 || r.byte() != format {
		return nil
	}
	size, count := r.uvarint(), r.uvarint()
	if r.broken || size == 0 || size != uint64(len(query)) || count > uint64(len(packed))/size {
		return nil
	}
	scores, before := make([]Score, 0, count), 0
	for range count {
		start := before + r.varint()
		end := start + r.varint()
		cosine := r.cosine(query)
		if r.broken {
			return nil
		}
		scores = append(scores, Score{Start: start, End: end, Cosine: cosine})
		before = start
	}
	return scores
}

// reader reads the packed form. broken is true after the bytes ended too early.
type reader struct {
	rest   []byte
	broken bool
}

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		r.broken = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *reader) uvarint() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.broken = true
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) varint() int {
	n, size := binary.Varint(r.rest)
	if size <= 0 || n < math.MinInt32 || n > math.MaxInt32 {
		r.broken = true
		return 0
	}
	r.rest = r.rest[size:]
	return int(n)
}

func (r *reader) cosine(query []float32) float64 {
	if len(r.rest) < scaleBytes+len(query) {
		r.broken = true
		return 0
	}
	scale := math.Float32frombits(binary.LittleEndian.Uint32(r.rest))
	vector := r.rest[scaleBytes : scaleBytes+len(query)]
	r.rest = r.rest[scaleBytes+len(query):]
	var sum float32
	for i, q := range query {
		sum += q * float32(int8(vector[i]))
	}
	return max(-1, min(1, float64(sum*scale)))
}
