package chunkfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"docqa/internal/engine/chunk"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/parse"
)

// Reader reads a chunk file from a writer that is not trusted. It holds one record.
type Reader struct {
	r       *bufio.Reader
	frame   []byte
	offset  int64 // of the next frame
	ordinal int   // of the next chunk
	summary *Summary
}

// NewReader reads a chunk file from its beginning.
func NewReader(r io.Reader) *Reader { return &Reader{r: bufio.NewReaderSize(r, 64<<10)} }

// ResumeReader goes on with a chunk file: r begins at offset, where the chunk with the
// given ordinal stands, or the end.
func ResumeReader(r io.Reader, offset int64, ordinal int) *Reader {
	reader := NewReader(r)
	reader.offset, reader.ordinal = offset, ordinal
	return reader
}

// Offset is where the next frame begins, in bytes.
func (r *Reader) Offset() int64 { return r.offset }

// Summary is what the file ended with; nil before Next has returned io.EOF.
func (r *Reader) Summary() *Summary { return r.summary }

// Next reads the next chunk. io.EOF at the end, from where on there is a Summary;
// *parse.Error where the document could not be read; ErrMalformed where the bytes are no
// chunk file; other errors are the source's.
func (r *Reader) Next() (*Record, error) {
	if r.summary != nil {
		return nil, io.EOF
	}
	if r.offset == 0 {
		if first, err := r.r.ReadByte(); err != nil || first != version {
			return nil, cutOff(err)
		}
		r.offset++
	}
	kind, payload, err := r.next()
	if err != nil {
		return nil, err
	}
	d := &decoder{b: payload}
	switch kind {
	case kindChunk:
		record := d.record()
		if !d.ok(record != nil && record.Ordinal == r.ordinal) {
			return nil, ErrMalformed
		}
		r.ordinal++
		return record, nil
	case kindSummary:
		s := &Summary{Chunks: d.number(maxChunks), Pages: d.number(maxPages), Language: d.text(), Characters: d.number(math.MaxInt32), LeftOut: d.leftOut()}
		if !d.ok(s.Chunks == r.ordinal && len(s.Language) <= 35) {
			return nil, ErrMalformed
		}
		if _, err := r.r.ReadByte(); !errors.Is(err, io.EOF) {
			return nil, errors.Join(ErrMalformed, err)
		}
		r.summary = s
		return nil, io.EOF
	case kindError:
		e := &parse.Error{Code: d.text(), Message: d.text()}
		if !d.ok(e.Code != "" && len(e.Code) <= 64 && len(e.Message) <= 512) {
			return nil, ErrMalformed
		}
		return nil, e
	}
	return nil, ErrMalformed
}

// next reads a frame; the payload is valid until the next call.
func (r *Reader) next() (kind byte, payload []byte, err error) {
	var head [headBytes]byte
	if _, err := io.ReadFull(r.r, head[:]); err != nil {
		return 0, nil, cutOff(err)
	}
	size := int(binary.LittleEndian.Uint32(head[1:]))
	if size > MaxFrame {
		return 0, nil, ErrMalformed
	}
	if cap(r.frame) < size {
		r.frame = make([]byte, size)
	}
	r.frame = r.frame[:size]
	if _, err := io.ReadFull(r.r, r.frame); err != nil {
		return 0, nil, cutOff(err)
	}
	r.offset += int64(headBytes + size)
	return head[0], r.frame, nil
}

// cutOff makes an end where none may be a malformed file; other errors stay the source's.
func cutOff(err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrMalformed
	}
	return fmt.Errorf("read the chunk file: %w", err)
}

// decoder reads the members of a payload. After a failure it returns zero values.
type decoder struct {
	b   []byte
	bad bool
}

// ok tells whether all of the payload was read, all of it was well-formed, and also holds.
func (d *decoder) ok(also bool) bool { return !d.bad && len(d.b) == 0 && also }

func (d *decoder) number(limit int) int {
	n, size := binary.Uvarint(d.b)
	if d.bad = d.bad || size <= 0 || n > uint64(limit); d.bad {
		return 0
	}
	d.b = d.b[size:]
	return int(n)
}

// text is valid UTF-8 without NUL, which Postgres cannot hold.
func (d *decoder) text() string {
	n := d.number(len(d.b))
	if d.bad = d.bad || n > len(d.b); d.bad {
		return ""
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	d.bad = !utf8.ValidString(s) || strings.IndexByte(s, 0) >= 0
	return s
}

// bytes are a copy: the payload is overwritten by the next frame.
func (d *decoder) bytes() []byte {
	n := d.number(len(d.b))
	if d.bad = d.bad || n > len(d.b); d.bad {
		return nil
	}
	out := bytes.Clone(d.b[:n])
	d.b = d.b[n:]
	return out
}

func (d *decoder) record() *Record {
	r := &Record{Chunk: chunk.Chunk{
		Ordinal: d.number(maxChunks), Page: d.number(maxPages), Start: d.number(math.MaxInt32), End: d.number(math.MaxInt32),
		HeadingPath: []string{},
	}}
	for range d.number(maxHeadings) {
		r.HeadingPath = append(r.HeadingPath, d.text())
	}
	r.Context, r.Lead, r.Text = d.text(), d.text(), d.text()
	r.Terms, r.Places = d.terms(), d.bytes()
	r.Marks = d.marks(len(r.Text))
	if d.bad || r.End <= r.Start || r.Text == "" {
		return nil
	}
	return r
}

// leftOut has each reason once.
func (d *decoder) leftOut() []doc.LeftOut {
	var out []doc.LeftOut
	for range d.number(len(doc.Reasons())) {
		l := doc.LeftOut{Reason: doc.Reason(d.text()), Characters: d.number(math.MaxInt32)}
		known := slices.Contains(doc.Reasons(), l.Reason) && !slices.ContainsFunc(out, func(o doc.LeftOut) bool { return o.Reason == l.Reason })
		d.bad = d.bad || !known || l.Characters == 0
		out = append(out, l)
	}
	return out
}

// marks are those of a text of size bytes.
func (d *decoder) marks(size int) doc.Marks {
	m, ok := doc.Unpack(d.bytes(), size)
	d.bad = d.bad || !ok
	return m
}

// terms are in ascending order, each once, below the dimensions of the index.
func (d *decoder) terms() []lexical.Term {
	n := d.number(maxTerms)
	if d.bad || n*5 > len(d.b) { // a term has five bytes or more
		d.bad = true
		return nil
	}
	terms, before := make([]lexical.Term, 0, n), int32(0)
	for i := range n {
		index := d.number(lexical.Dimensions) + int(before)
		if d.bad || len(d.b) < 4 || index >= lexical.Dimensions || i > 0 && index == int(before) {
			d.bad = true
			return nil
		}
		weight := math.Float32frombits(binary.LittleEndian.Uint32(d.b))
		d.b = d.b[4:]
		if !(weight > 0 && weight < 1e6) { // false for NaN as well
			d.bad = true
			return nil
		}
		before = int32(index)
		terms = append(terms, lexical.Term{Index: before, Weight: weight})
	}
	return terms
}
