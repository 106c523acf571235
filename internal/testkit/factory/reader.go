package factory

import (
	"bytes"
	"context"
	"errors"
	"io"

	"docqa/internal/engine/chunkfile"
	"docqa/internal/engine/parse"
	"docqa/internal/engine/parse/read"
	"docqa/internal/ingest/parsing"
	"docqa/internal/platform/apperr"
)

// Reader reads files in the process of the test; the product reads them in a child.
type Reader struct {
	Before func(ctx context.Context) error // called before a file is read; may be nil
}

// Named is like that of parsing.Parser.
func (Reader) Named(name, contentType string) (parse.Format, error) {
	f, err := parse.Name(name, contentType)
	return f, refused(err)
}

// Sniff is like that of parsing.Parser.
func (Reader) Sniff(name, contentType string, head []byte) (parse.Format, error) {
	f, err := parse.Sniff(name, contentType, head)
	return f, refused(err)
}

// Read is like that of parsing.Parser.
func (r Reader) Read(ctx context.Context, req parsing.Request, out io.Writer) (*chunkfile.Summary, error) {
	if r.Before != nil {
		if err := r.Before(ctx); err != nil {
			return nil, err
		}
	}
	d, err := read.Document(req.Format, req.File)
	if err != nil {
		return nil, refused(err)
	}
	var written bytes.Buffer
	if err := chunkfile.Write(&written, d, req.Title, req.Chunking); err != nil {
		return nil, err
	}
	chunks := chunkfile.NewReader(io.TeeReader(&written, out))
	for {
		_, err := chunks.Next()
		if errors.Is(err, io.EOF) {
			return chunks.Summary(), nil
		}
		if err != nil {
			return nil, refused(err)
		}
	}
}

func refused(err error) error {
	if e, ok := errors.AsType[*parse.Error](err); ok {
		return apperr.Invalid(apperr.Code(e.Code), e.Message)
	}
	return err
}
