package parsing_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/apperr"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
	"docqa/internal/parsing"
	"docqa/internal/sandbox"
)

// TestMain makes the test binary the service's binary, as far as the children go.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "sandbox":
			os.Exit(sandbox.Main(os.Args[2:], os.Stderr))
		case "parse":
			os.Exit(parsing.Main(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
		}
	}
	os.Exit(m.Run())
}

func newParser(tb testing.TB, o parsing.Options) *parsing.Parser {
	tb.Helper()
	self, err := os.Executable()
	require.NoError(tb, err)
	o.Self, o.Scratch = self, tb.TempDir()
	o.Limits.Memory = 4 << 30 // a test binary with the race detector takes more than the service does
	return parsing.New(o)
}

func TestParser_Parse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		format parse.Format
		file   string
		title  string
		pages  int
		want   []string // texts of blocks
	}{
		{name: "text", format: parse.Text, file: "Opening hours\n\nMonday to Friday, nine to five.\n", pages: 1, want: []string{"Opening hours", "Monday to Friday, nine to five."}},
		{name: "text in Latin-1", format: parse.Text, file: "Caf\xe9 ferm\xe9 le dimanche, ouvert d\xe8s lundi.", pages: 1, want: []string{"Café fermé le dimanche, ouvert dès lundi."}},
		{name: "markdown", format: parse.Markdown, file: "# Guide\n\nFirst *words*.\n\n- one\n- two\n", title: "Guide", pages: 1, want: []string{"Guide", "First *words*.", "one", "two"}},
		{name: "html", format: parse.HTML, file: "<title>T</title><body><nav>Home</nav><h1>Guide</h1><p>First words.</p></body>", title: "T", pages: 1, want: []string{"Guide", "First words."}},
		{name: "pdf", format: parse.PDF, file: pdfFile("The first page speaks.", "The second page answers."), pages: 2, want: []string{"The first page speaks.", "The second page answers."}},
	}
	p := newParser(t, parsing.Options{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, source := range []io.Reader{strings.NewReader(tt.file), onDisk(t, tt.file)} {
				d, err := p.Parse(t.Context(), tt.format, source)
				require.NoError(t, err)
				require.Equal(t, tt.title, d.Title)
				require.Len(t, d.Pages, tt.pages)
				require.Equal(t, tt.want, texts(d))
			}
		})
	}
}

func TestParser_Parse_refuses(t *testing.T) {
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
			_, err := p.Parse(t.Context(), tt.format, tt.file)
			require.Equal(t, tt.code, apperr.CodeOf(err), "%v", err)
			require.Equal(t, apperr.InvalidInput, apperr.KindOf(err))
		})
	}
}

func TestParser_Parse_givesUp(t *testing.T) {
	t.Parallel()
	p := newParser(t, parsing.Options{Limits: sandbox.Limits{Wall: 300 * time.Millisecond}})
	in, out, err := os.Pipe() // a file that never ends
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, in.Close()); require.NoError(t, out.Close()) })
	_, err = p.Parse(t.Context(), parse.Text, in)
	require.Equal(t, parse.CodeTimeout, apperr.CodeOf(err), "%v", err)
	require.Equal(t, apperr.Timeout, apperr.KindOf(err))
}

// TestParser_Parse_boundsMarkup: what is not read in linear time ends with a code. Every
// body element with an attribute of its own makes the HTML parser look at all before.
func TestParser_Parse_boundsMarkup(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&page, "<body a%d=x>", i)
	}
	p := newParser(t, parsing.Options{})
	_, err := p.Parse(t.Context(), parse.HTML, strings.NewReader(page.String()))
	require.Equal(t, parse.CodeTimeout, apperr.CodeOf(err), "%v", err)
	require.Equal(t, apperr.Timeout, apperr.KindOf(err))
}

func TestParser_Parse_nestedPages(t *testing.T) {
	t.Parallel()
	p := newParser(t, parsing.Options{})
	for _, file := range []string{strings.Repeat("<div>", 200_000) + "deep", strings.Repeat("<b>", 50_000) + "bold"} {
		_, err := p.Parse(t.Context(), parse.HTML, strings.NewReader(file))
		if err != nil {
			require.NotEqual(t, apperr.Internal, apperr.KindOf(err), "%v", err)
		}
	}
	_, err := p.Parse(t.Context(), parse.Markdown, strings.NewReader(strings.Repeat("> ", 20_000)+"quoted"))
	if err != nil {
		require.NotEqual(t, apperr.Internal, apperr.KindOf(err), "%v", err)
	}
}

func TestParser_Check_withoutPoppler(t *testing.T) {
	t.Parallel()
	p := newParser(t, parsing.Options{PDFToText: "none"})
	require.NoError(t, p.Check(parse.Text))
	require.Equal(t, parse.CodeUnsupported, apperr.CodeOf(p.Check(parse.PDF)))
	_, err := p.Sniff("a.pdf", "application/pdf", []byte("%PDF-1.7"))
	require.Equal(t, parse.CodeUnsupported, apperr.CodeOf(err))
}

func BenchmarkParser_Parse(b *testing.B) {
	p := newParser(b, parsing.Options{})
	for _, c := range []struct {
		format parse.Format
		file   string
	}{{parse.Text, "Some words.\n"}, {parse.Markdown, "# Some\n\nwords.\n"}, {parse.PDF, pdfFile("Some words.")}} {
		b.Run(string(c.format), func(b *testing.B) {
			for b.Loop() {
				_, err := p.Parse(b.Context(), c.format, strings.NewReader(c.file))
				require.NoError(b, err)
			}
		})
	}
}

func texts(d *doc.Document) []string {
	var out []string
	for i := range d.Pages {
		for _, b := range d.Pages[i].Blocks {
			out = append(out, b.Text)
		}
	}
	return out
}

func onDisk(t *testing.T, content string) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "upload")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	f, err := os.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

// endless is a file of words without end.
type endless struct{}

// Read fills p.
func (endless) Read(p []byte) (int, error) {
	return copy(p, bytes.Repeat([]byte("words "), len(p)/6+1)), nil
}
