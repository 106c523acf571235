package doc

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// wirePage is a page on its way between processes: the blocks by their places only.
type wirePage struct {
	Number int
	Text   string
	Blocks []wireBlock
}

type wireBlock struct {
	Kind       Kind
	Level      int
	Start, End int
}

// Encode writes d for Decode.
func Encode(w io.Writer, d *Document) error {
	buf := bufio.NewWriter(w)
	e := gob.NewEncoder(buf)
	if err := e.Encode(d.Title); err != nil {
		return fmt.Errorf("encode document: %w", err)
	}
	for i := range d.Pages {
		p := &d.Pages[i]
		out := wirePage{Number: p.Number, Text: p.Text, Blocks: make([]wireBlock, len(p.Blocks))}
		for j, b := range p.Blocks {
			out.Blocks[j] = wireBlock{Kind: b.Kind, Level: b.Level, Start: b.Start, End: b.End}
		}
		if err := e.Encode(out); err != nil {
			return fmt.Errorf("encode page %d: %w", p.Number, err)
		}
	}
	if err := buf.Flush(); err != nil {
		return fmt.Errorf("write document: %w", err)
	}
	return nil
}

// errMalformed says that what should be a document breaks the package's invariant.
var errMalformed = errors.New("malformed document")

// Decode reads what Encode wrote, from a process that is not trusted: it fails where
// the blocks do not lie in their page as the package promises.
func Decode(r io.Reader) (*Document, error) {
	dec := gob.NewDecoder(r)
	d, blocks := &Document{}, 0
	if err := dec.Decode(&d.Title); err != nil {
		return nil, fmt.Errorf("decode document: %w", err)
	}
	for {
		var in wirePage
		err := dec.Decode(&in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("decode page: %w", err)
		}
		if blocks += len(in.Blocks); blocks > MaxBlocks {
			return nil, errMalformed
		}
		p, err := in.page()
		if err != nil {
			return nil, err
		}
		d.Pages = append(d.Pages, p)
	}
	if len(d.Pages) == 0 {
		return nil, errMalformed
	}
	return d, nil
}

// page gives the blocks their text again.
func (in *wirePage) page() (Page, error) {
	p := Page{Number: in.Number, Text: in.Text, Blocks: make([]Block, len(in.Blocks))}
	if in.Number < 0 || !utf8.ValidString(in.Text) {
		return p, errMalformed
	}
	at, runes := 0, 0
	forward := func(to int) bool {
		for ; runes < to && at < len(p.Text); runes++ {
			_, size := utf8.DecodeRuneInString(p.Text[at:])
			at += size
		}
		return runes == to
	}
	for i, b := range in.Blocks {
		if b.Kind >= kinds || b.Level < 0 || b.Start < runes || b.End <= b.Start || !forward(b.Start) {
			return p, errMalformed
		}
		from := at
		if !forward(b.End) {
			return p, errMalformed
		}
		p.Blocks[i] = Block{Kind: b.Kind, Level: b.Level, Start: b.Start, End: b.End, Text: p.Text[from:at]}
	}
	return p, nil
}
