package read

import (
	"io"
	"strings"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
	"docqa/internal/engine/parse/charset"
	"docqa/internal/engine/parse/html"
	"docqa/internal/engine/parse/markdown"
	"docqa/internal/engine/parse/pdf"
	"docqa/internal/engine/parse/plain"
)

// Document reads a file of format f. For PDF, r is the output of pdftotext -tsv. The
// errors are of type *parse.Error.
func Document(f parse.Format, r io.Reader) (*doc.Document, error) {
	d, err := document(f, r)
	if err == nil {
		parse.Structure(d)
	}
	if err == nil && d.BlockCount() > doc.MaxBlocks {
		return nil, parse.TooLong()
	}
	return d, err
}

func document(f parse.Format, r io.Reader) (*doc.Document, error) {
	if f == parse.PDF {
		return pdf.Parse(r)
	}
	data, err := io.ReadAll(io.LimitReader(r, parse.MaxBytes+1))
	switch {
	case err != nil:
		return nil, parse.Failed(err)
	case len(data) > parse.MaxBytes:
		return nil, parse.TooLong()
	}
	source := charset.Decode(data, f == parse.HTML)
	if f != parse.HTML && len(source) > parse.MaxText {
		return nil, parse.TooLong()
	}
	if strings.TrimSpace(source) == "" {
		return nil, parse.NoText()
	}
	var d *doc.Document
	switch f {
	case parse.HTML:
		return html.Parse(source)
	case parse.Markdown:
		d = markdown.Parse(source)
	case parse.Text, parse.PDF:
		d = plain.Parse(source)
	default:
		return nil, parse.Unsupported("this kind of file is not supported")
	}
	if len(d.Pages[0].Blocks) == 0 {
		return nil, parse.NoText()
	}
	return d, nil
}
