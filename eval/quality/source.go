package quality

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"docqa/eval/dataset"
	"docqa/eval/score"
	"docqa/gen/mainapi"
)

// read returns the text of a document, read without the service. A page of a PDF has one text for each of the orders in which
// pdftotext can read it.
func read(ctx context.Context, d *dataset.Document) (*score.Source, error) {
	if !strings.EqualFold(path.Ext(d.Name), ".pdf") {
		// Line ends stay as they are, since spans count each character of the file.
		text := strings.TrimPrefix(strings.ToValidUTF8(string(d.Data), "\ufffd"), "\ufeff")
		return &score.Source{Pages: []string{text}}, nil
	}
	source := &score.Source{Paged: true}
	for _, order := range [][]string{nil, {"-raw"}, {"-layout"}} {
		pages, err := pdfPages(ctx, d.Data, order...)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", d.Name, err)
		}
		if source.Pages == nil {
			source.Pages = pages
			continue
		}
		for i := range min(len(pages), len(source.Pages)) {
			source.Pages[i] += score.ReadingSeparator + pages[i]
		}
	}
	return source, nil
}

func pdfPages(ctx context.Context, data []byte, flags ...string) ([]string, error) {
	command := exec.CommandContext(ctx, pdftotext(), append(flags, "-enc", "UTF-8", "-", "-")...) //nolint:gosec // fixed flags
	command.Stdin = bytes.NewReader(data)
	text, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("pdftotext: %w", err)
	}
	pages := strings.Split(string(text), "\f")
	return pages[:max(1, len(pages)-1)], nil
}

// pdftotext is the program that `make setup` unpacked, or that of the system.
func pdftotext() string {
	private := filepath.Join(".pg", "bin", "pdftotext")
	if _, err := os.Stat(private); err == nil {
		return private
	}
	return "pdftotext"
}

// verify returns what is wrong with a citation of the source. An empty text means that nothing is.
func verify(source *score.Source, s *mainapi.CitationSource) string {
	if source == nil {
		return "the document is unknown"
	}
	page, _ := s.PageNumber.Get()
	span, spanned := s.ExcerptSpan.Get()
	return source.Verify(&score.Citation{Excerpt: s.Excerpt, Page: page, Start: span.Start, End: span.End, Spanned: spanned})
}
