package chunkfile

import (
	"errors"

	"docqa/internal/engine/chunk"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/lexical"
)

// Record is a chunk with what the index keeps of it. Its Title is not part of the file.
type Record struct {
	chunk.Chunk

	Terms  []lexical.Term // BM25 weights, ordered by index
	Places []byte         // of the body's words, see lexical.Indexer.Places
}

// Summary is what is known once the whole document was read.
type Summary struct {
	Chunks   int
	Pages    int    // 0: the document has no pages
	Language string // BCP 47; empty: not known

	Characters int           // in the blocks, code points
	LeftOut    []doc.LeftOut // text in no block
}

const version = '3'

// headBytes is the size of what stands before a payload: its kind and its length.
const headBytes = 5

// The kinds of frames.
const (
	kindChunk   = 'C'
	kindSummary = 'S'
	kindError   = 'E'
)

// MaxFrame is the size of the largest frame, in bytes.
const MaxFrame = 256<<10 + headBytes

// The bounds of one frame: far above what package chunk makes.
const (
	maxHeadings = 16
	maxTerms    = 64 << 10
	maxPages    = 1 << 20
	maxChunks   = 10 << 20
)

// ErrMalformed says that the bytes are no chunk file, or that it ends too early.
var ErrMalformed = errors.New("malformed chunk file")
