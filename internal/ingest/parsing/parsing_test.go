package parsing_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/chunk"
	"docqa/internal/engine/chunkfile"
	"docqa/internal/engine/parse"
	"docqa/internal/ingest/parsing"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/sandbox"
	"docqa/internal/testkit/doctest"
)

// TestMain lets the test binary also run as the child that reads a file.
func TestMain(m *testing.M) { doctest.Main(m) }

func newParser(tb testing.TB, o parsing.Options) *parsing.Parser {
	tb.Helper()
	self, err := os.Executable()
	require.NoError(tb, err)
	o.Self, o.Scratch = self, tb.TempDir()
	o.Limits.Memory = 4 << 30 // a test binary with the race detector takes more than the service does
	return parsing.New(o)
}

// read reads a file and returns the texts of its chunks.
func read(tb testing.TB, p *parsing.Parser, format parse.Format, file *os.File) ([]string, *chunkfile.Summary, error) {
	tb.Helper()
	var out bytes.Buffer
	summary, err := p.Read(tb.Context(), parsing.Request{Format: format, File: file, Title: "a title"}, &out)
	if err != nil {
		require.Nil(tb, summary)
		return nil, nil, err
	}
	var texts []string
	r := chunkfile.NewReader(&out)
	for {
		c, err := r.Next()
		if errors.Is(err, io.EOF) {
			require.Equal(tb, summary, r.Summary(), "the copy is what was checked")
			return texts, summary, nil
		}
		require.NoError(tb, err)
		require.NotEmpty(tb, c.Terms)
		texts = append(texts, c.Text)
	}
}

func TestParser_Read(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		format parse.Format
		file   string
		pages  int
		want   []string // texts of chunks
	}{
		{name: "text", format: parse.Text, file: "Opening hours\n\nMonday to Friday, nine to five.\n", want: []string{"Opening hours\n\nMonday to Friday, nine to five."}},
		{name: "text in Latin-1", format: parse.Text, file: "Caf\xe9 ferm\xe9 le dimanche, ouvert d\xe8s lundi.", want: []string{"Café fermé le dimanche, ouvert dès lundi."}},
		{name: "markdown", format: parse.Markdown, file: "# Guide\n\nFirst *words*.\n\n- one\n- two\n", want: []string{"Guide\n\nFirst *words*.\n\n- one\n- two"}},
		{name: "html", format: parse.HTML, file: "<title>T</title><body><nav>Home</nav><h1>Guide</h1><p>First words.</p></body>", want: []string{"Guide\n\nFirst words."}},
		{name: "pdf", format: parse.PDF, file: pdfFile("The first page speaks.", "The second page answers."), pages: 2, want: []string{"The first page speaks.", "The second page answers."}},
	}
	p := newParser(t, parsing.Options{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, summary, err := read(t, p, tt.format, onDisk(t, tt.file))
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
			require.Equal(t, len(got), summary.Chunks)
			require.Equal(t, tt.pages, summary.Pages)
		})
	}
}

func TestParser_Read_cutsAsAsked(t *testing.T) {
	t.Parallel()
	p := newParser(t, parsing.Options{})
	var out bytes.Buffer
	text := strings.Repeat("A sentence of some words. ", 100)
	summary, err := p.Read(t.Context(), parsing.Request{
		Format: parse.Text, File: onDisk(t, text), Chunking: chunk.Options{Characters: 400, Overlap: 50},
	}, &out)
	require.NoError(t, err)
	require.Greater(t, summary.Chunks, len(text)/400)
}

func TestParser_Read_refuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		format parse.Format
		file   io.Reader
		code   string
	}{
		{name: "an empty text", format: parse.Text, file: strings.NewReader(" \n\n"), code: parse.CodeNoText},
		{name: "a page of scripts", format: parse.HTML, file: strings.NewReader("<script>alert(1)</script>"), code: parse.CodeNoText},
		{name: "a pdf without words", format: parse.PDF, file: strings.NewReader(pdfFile("")), code: parse.CodeNoText},
		{name: "a broken pdf", format: parse.PDF, file: strings.NewReader("%PDF-1.4\ngarbage"), code: parse.CodeFailed},
		{name: "a protected pdf", format: parse.PDF, file: strings.NewReader(protectedPDF()), code: parse.CodePassword},
		{name: "too long a text", format: parse.Text, file: io.LimitReader(endless{}, parse.MaxText+10), code: parse.CodeTooLong},
		{name: "too long a file", format: parse.HTML, file: io.LimitReader(endless{}, parse.MaxBytes+10), code: parse.CodeTooLong},
		{name: "an unknown format", format: "docx", file: strings.NewReader("x"), code: parse.CodeUnsupported},
	}
	p := newParser(t, parsing.Options{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			file, err := os.Create(filepath.Join(t.TempDir(), "file"))
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, file.Close()) })
			_, err = io.Copy(file, tt.file)
			require.NoError(t, err)
			_, err = file.Seek(0, io.SeekStart)
			require.NoError(t, err)
			_, _, err = read(t, p, tt.format, file)
			require.EqualValues(t, tt.code, apperr.CodeOf(err), "%v", err)
			require.Equal(t, apperr.KindInvalidInput, apperr.KindOf(err))
		})
	}
}

func TestParser_Read_givesUp(t *testing.T) {
	t.Parallel()
	p := newParser(t, parsing.Options{Limits: sandbox.Limits{Duration: 300 * time.Millisecond}})
	in, out, err := os.Pipe() // a file that never ends
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, in.Close()); require.NoError(t, out.Close()) })
	_, _, err = read(t, p, parse.Text, in)
	require.EqualValues(t, parse.CodeTimeout, apperr.CodeOf(err), "%v", err)
	require.Equal(t, apperr.KindTimeout, apperr.KindOf(err))
}

// TestParser_Read_boundsMarkup: a file that takes more than linear time ends with a code. For
// every body element with an attribute of its own, the HTML parser looks at all earlier ones.
func TestParser_Read_boundsMarkup(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&page, "<body a%d=x>", i)
	}
	_, _, err := read(t, newParser(t, parsing.Options{}), parse.HTML, onDisk(t, page.String()))
	require.EqualValues(t, parse.CodeTimeout, apperr.CodeOf(err), "%v", err)
	require.Equal(t, apperr.KindTimeout, apperr.KindOf(err))
}

func TestParser_Read_keepsTheFaultsOfItsOutputApart(t *testing.T) {
	t.Parallel()
	p := newParser(t, parsing.Options{})
	_, err := p.Read(t.Context(), parsing.Request{Format: parse.Text, File: onDisk(t, "some words")}, fullDisk{})
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.Equal(t, apperr.KindInternal, apperr.KindOf(err), "it is not the fault of the file")
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestParser_Read_nestedPages(t *testing.T) {
	t.Parallel()
	p := newParser(t, parsing.Options{})
	for _, tt := range []struct {
		format parse.Format
		file   string
	}{
		{parse.HTML, strings.Repeat("<div>", 200_000) + "deep"},
		{parse.HTML, strings.Repeat("<b>", 50_000) + "bold"},
		{parse.Markdown, strings.Repeat("> ", 20_000) + "quoted"},
	} {
		_, _, err := read(t, p, tt.format, onDisk(t, tt.file))
		if err != nil {
			require.NotEqual(t, apperr.KindInternal, apperr.KindOf(err), "%v", err)
		}
	}
}

func TestParser_Check_withoutPoppler(t *testing.T) {
	t.Parallel()
	p := newParser(t, parsing.Options{PDFToText: "none"})
	require.NoError(t, p.Check(parse.Text))
	require.EqualValues(t, parse.CodeUnsupported, apperr.CodeOf(p.Check(parse.PDF)))
	_, err := p.Sniff("a.pdf", "application/pdf", []byte("%PDF-1.7"))
	require.EqualValues(t, parse.CodeUnsupported, apperr.CodeOf(err))
}

func BenchmarkParser_Read(b *testing.B) {
	p := newParser(b, parsing.Options{})
	for _, c := range []struct {
		format parse.Format
		file   string
	}{{parse.Text, "Some words.\n"}, {parse.Markdown, "# Some\n\nwords.\n"}, {parse.PDF, pdfFile("Some words.")}} {
		b.Run(string(c.format), func(b *testing.B) {
			for b.Loop() {
				_, _, err := read(b, p, c.format, onDisk(b, c.file))
				require.NoError(b, err)
			}
		})
	}
}

func onDisk(tb testing.TB, content string) *os.File {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "upload")
	require.NoError(tb, os.WriteFile(path, []byte(content), 0o600))
	f, err := os.Open(path)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, f.Close()) })
	return f
}

// endless is a reader of words that never ends.
type endless struct{}

// Read fills p.
func (endless) Read(p []byte) (int, error) {
	return copy(p, bytes.Repeat([]byte("words "), len(p)/6+1)), nil
}
