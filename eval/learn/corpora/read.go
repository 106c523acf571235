package corpora

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"docqa/eval/dataset"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
	"docqa/internal/engine/parse/read"
)

// read parses a document as ingestion does, but in this process.
func (l *Corpora) read(ctx context.Context, d *dataset.Document) (*doc.Document, error) {
	format, err := parse.Name(d.Name, "text/plain")
	if err != nil {
		return nil, err
	}
	data := d.Data
	if format == parse.PDF {
		if data, err = l.pdfWords(ctx, data); err != nil {
			return nil, err
		}
	}
	return read.Document(format, bytes.NewReader(data))
}

// pdfWords returns the words of a PDF with their positions, as pdftotext prints them. It is slow, so the cache holds the result.
func (l *Corpora) pdfWords(ctx context.Context, data []byte) ([]byte, error) {
	key := digestOf(string(data))
	path := filepath.Join(l.Cache, hex.EncodeToString(key[:])+".tsv")
	if cached, err := os.ReadFile(filepath.Clean(path)); err == nil {
		return cached, nil
	}
	command := exec.CommandContext(ctx, "pdftotext", "-tsv", "-enc", "UTF-8", "-", "-")
	command.Stdin = bytes.NewReader(data)
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("pdftotext: %w", err)
	}
	return out, os.WriteFile(path, out, 0o600)
}
