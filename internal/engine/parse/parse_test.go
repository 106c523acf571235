package parse_test

import (
	"errors"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/parse"
)

func TestSniff(t *testing.T) {
	t.Parallel()
	pdf := "%PDF-1.7\n"
	tests := []struct {
		name, file, contentType, head string
		want                          parse.Format
	}{
		{"text", "notes.txt", "", "hello", parse.Text},
		{"upper case", "NOTES.TXT", "application/pdf", "hello", parse.Text},
		{"markdown", "a.b.markdown", "", "# x", parse.Markdown},
		{"html", "page.htm", "", "<p>x", parse.HTML},
		{"pdf", "a.pdf", "text/plain", pdf, parse.PDF},
		{"pdf after noise", "a.pdf", "", "junk\n" + pdf, parse.PDF},
		{"empty text", "a.txt", "", "", parse.Text},
		{"type for want of an extension", "report", "application/pdf", pdf, parse.PDF},
		{"type with a parameter", "report", "text/html; charset=utf-8", "<p>", parse.HTML},
		{"UTF-16", "a.txt", "", wide("Hello, this is a text in UTF-16."), parse.Text},
		{"Latin-1", "a.txt", "", "caf\xe9", parse.Text},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := parse.Sniff(tt.file, tt.contentType, []byte(tt.head))
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestSniff_refuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, file, contentType, head string }{
		{"an unknown extension", "a.exe", "text/plain", "hello"},
		{"a format of later", "a.docx", "", "PK\x03\x04"},
		{"neither extension nor type", "README", "", "hello"},
		{"an unknown type", "README", "application/zip", "hello"},
		{"a text that is a pdf", "a.txt", "", "%PDF-1.4"},
		{"a pdf that is a text", "a.pdf", "", "hello"},
		{"a zip", "a.txt", "", "PK\x03\x04rest"},
		{"an image", "a.html", "", "\x89PNG\r\n"},
		{"zero bytes", "a.md", "", "a\x00\x01\x02b"},
		{"control characters", "a.txt", "", "\x01\x02\x03\x04\x05"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := parse.Sniff(tt.file, tt.contentType, []byte(tt.head))
			require.Equal(t, parse.CodeUnsupported, parse.CodeOf(err))
		})
	}
}

func TestCodeOf(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	require.Equal(t, parse.CodeFailed, parse.CodeOf(parse.Failed(cause)))
	require.ErrorIs(t, parse.Failed(cause), cause)
	require.Empty(t, parse.CodeOf(cause))
	for _, e := range []*parse.Error{parse.PasswordProtected(), parse.TooManyPages(), parse.TooLong(), parse.NoText(), parse.TimedOut()} {
		require.NotEmpty(t, e.Error())
	}
}

// wide is s in UTF-16 without a mark.
func wide(s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}
