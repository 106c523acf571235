package chunkfile

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"docqa/internal/engine/chunk"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/parse"
)

// Write cuts and indexes a document, a chunk at a time.
func Write(out io.Writer, d *doc.Document, title string, o chunk.Options) error {
	w := NewWriter(out)
	language := lexical.Detect(d.Beginning())
	indexer := lexical.NewIndexer(language)
	for c := range chunk.All(d, title, o) {
		terms := indexer.Terms(lexical.Passage{Title: c.Title, HeadingPath: c.HeadingPath, Context: c.Context, Body: c.Text})
		if err := w.Add(&Record{Chunk: c, Terms: terms, Places: indexer.Places(c.Text)}); err != nil {
			return err
		}
	}
	if w.chunks == 0 {
		return w.Fail(parse.NoText())
	}
	s := Summary{Language: language.Code(), Characters: d.Characters(), LeftOut: d.LeftOut}
	if d.Paged() {
		s.Pages = len(d.Pages)
	}
	return w.Close(s)
}

// Writer writes a chunk file. It must be ended by Close or Fail.
type Writer struct {
	w      *bufio.Writer
	frame  []byte
	chunks int
}

// NewWriter begins a chunk file on w.
func NewWriter(w io.Writer) *Writer {
	buffered := bufio.NewWriterSize(w, 64<<10)
	_ = buffered.WriteByte(version) // fails later, if at all
	return &Writer{w: buffered}
}

// Add appends a chunk.
func (w *Writer) Add(r *Record) error {
	b := w.frame[:0]
	for _, n := range []int{r.Ordinal, r.Page, r.Start, r.End, len(r.HeadingPath)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, heading := range r.HeadingPath {
		b = appendString(b, heading)
	}
	b = appendString(appendString(appendString(b, r.Context), r.Lead), r.Text)
	b = binary.AppendUvarint(b, uint64(len(r.Terms)))
	before := int32(0)
	for _, t := range r.Terms {
		b = binary.AppendUvarint(b, uint64(t.Index-before))
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(t.Weight))
		before = t.Index
	}
	b = append(binary.AppendUvarint(b, uint64(len(r.Places))), r.Places...)
	blocks := r.Marks.Pack()
	b = append(binary.AppendUvarint(b, uint64(len(blocks))), blocks...)
	w.frame = b
	w.chunks++
	return w.write(kindChunk, b)
}

// Close ends the file with its summary, whose Chunks are those that were added.
func (w *Writer) Close(s Summary) error {
	b := binary.AppendUvarint(nil, uint64(w.chunks))
	b = binary.AppendUvarint(b, uint64(s.Pages))
	b = binary.AppendUvarint(appendString(b, s.Language), uint64(s.Characters))
	b = binary.AppendUvarint(b, uint64(len(s.LeftOut)))
	for _, l := range s.LeftOut {
		b = binary.AppendUvarint(appendString(b, string(l.Reason)), uint64(l.Characters))
	}
	return w.end(kindSummary, b)
}

// Fail ends the file with the reason why the document could not be read.
func (w *Writer) Fail(e *parse.Error) error {
	return w.end(kindError, appendString(appendString(nil, e.Code), e.Message))
}

func (w *Writer) end(kind byte, payload []byte) error {
	if err := w.write(kind, payload); err != nil {
		return err
	}
	if err := w.w.Flush(); err != nil {
		return fmt.Errorf("write the chunk file: %w", err)
	}
	return nil
}

func (w *Writer) write(kind byte, payload []byte) error {
	if len(payload) > MaxFrame {
		return fmt.Errorf("write the chunk file: a frame of %d bytes: %w", len(payload), ErrMalformed)
	}
	head := binary.LittleEndian.AppendUint32([]byte{kind}, uint32(len(payload)))
	_, err := w.w.Write(head)
	if err == nil {
		_, err = w.w.Write(payload)
	}
	if err != nil {
		return fmt.Errorf("write the chunk file: %w", err)
	}
	return nil
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
