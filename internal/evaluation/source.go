package evaluation

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"docqa/gen/mainapi"
	"docqa/internal/evaluation/dataset"
	"docqa/internal/evaluation/score"
)

// readings are the texts of a document as an independent reader sees them; a paged
// document has one for each order in which pdftotext reads a page.
type readings []score.Source

func read(ctx context.Context, d *dataset.Document) (readings, error) {
	if !strings.EqualFold(path.Ext(d.Name), ".pdf") {
		text := strings.TrimPrefix(strings.ToValidUTF8(string(d.Data), "\ufffd"), "\ufeff")
		return readings{{Pages: []string{strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)}}}, nil
	}
	var list readings
	for _, order := range [][]string{nil, {"-raw"}, {"-layout"}} {
		pages, err := pdfPages(ctx, d.Data, order...)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", d.Name, err)
		}
		list = append(list, score.Source{Paged: true, Pages: pages})
	}
	return list, nil
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

// pdftotext is the program that the set-up unpacked, or the system's.
func pdftotext() string {
	private := filepath.Join(".pg", "bin", "pdftotext")
	if _, err := os.Stat(private); err == nil {
		return private
	}
	return "pdftotext"
}

// verify says what is wrong with a source's excerpt; empty means nothing.
func (r readings) verify(s *mainapi.CitationSource) string {
	page, _ := s.PageNumber.Get()
	span, spanned := s.ExcerptSpan.Get()
	cited := score.Citation{Excerpt: s.Excerpt, Page: page, Start: span.Start, End: span.End, Spanned: spanned}
	problem := "the document is unknown"
	for i := range r {
		if problem = r[i].Verify(&cited); problem == "" {
			return ""
		}
	}
	return problem
}
