package parse

import (
	"bytes"
	"mime"
	"path"
	"strings"
)

// Format is a file format.
type Format string

// The formats that can be read.
const (
	Text     Format = "txt"
	Markdown Format = "md"
	HTML     Format = "html"
	PDF      Format = "pdf"
)

// Limits of one file.
const (
	MaxBytes = 50 << 20
	MaxPages = 2000
	MaxText  = 20 << 20 // bytes of extracted text
)

// HeadBytes is how much of a file Sniff wants to see.
const HeadBytes = 4096

// ByName returns the format that the extension of a file name stands for; ok is
// false where it stands for none. A name without extension gives "" and true.
func ByName(name string) (f Format, ok bool) {
	switch strings.ToLower(path.Ext(name)) {
	case "":
		return "", true
	case ".txt", ".text":
		return Text, true
	case ".md", ".markdown":
		return Markdown, true
	case ".html", ".htm", ".xhtml":
		return HTML, true
	case ".pdf":
		return PDF, true
	}
	return "", false
}

// ByType returns the format of a media type.
func ByType(contentType string) (f Format, ok bool) {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		t = strings.ToLower(strings.TrimSpace(contentType))
	}
	switch t {
	case "text/plain":
		return Text, true
	case "text/markdown", "text/x-markdown":
		return Markdown, true
	case "text/html", "application/xhtml+xml":
		return HTML, true
	case "application/pdf", "application/x-pdf":
		return PDF, true
	}
	return "", false
}

// Name returns the format that a file will be read as, going by its name and, where
// that has no extension, by its media type. The error has the code unsupported_format.
func Name(name, contentType string) (Format, error) {
	f, ok := ByName(name)
	if ok && f == "" {
		f, ok = ByType(contentType)
	}
	if !ok {
		return "", Unsupported("this kind of file is not supported; supported are pdf, md, html and txt")
	}
	return f, nil
}

// Sniff returns the format of a file by its name, media type and first HeadBytes
// bytes. The error has the code unsupported_format.
func Sniff(name, contentType string, head []byte) (Format, error) {
	f, err := Name(name, contentType)
	if err != nil {
		return "", err
	}
	head = head[:min(len(head), HeadBytes)]
	pdf := bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-"))
	switch {
	case f == PDF && !pdf:
		return "", Unsupported("the file is not a PDF, though its name says so")
	case f != PDF && (binary(head) || bytes.HasPrefix(head, []byte("%PDF-"))):
		return "", Unsupported("the file holds no text, though its name says so")
	}
	return f, nil
}

// binary tells whether the head of a file cannot be text in any encoding.
func binary(head []byte) bool {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} { // UTF-16 and UTF-32
		if bytes.HasPrefix(head, []byte(mark)) {
			return false
		}
	}
	for _, magic := range []string{"PK\x03\x04", "\x89PNG", "\xff\xd8\xff", "GIF8", "\x1f\x8b", "\x7fELF", "\xd0\xcf\x11\xe0", "{\\rtf", "RIFF", "MZ\x90"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return controls(head)
}

// controls tells whether more than one byte in twenty is a control character that
// texts do not hold; zero bytes are allowed where they look like UTF-16.
func controls(head []byte) bool {
	odd, zeros := 0, 0
	for _, c := range head {
		switch {
		case c == 0:
			zeros++
		case c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b && c != '\b', c == 0x7f:
			odd++
		}
	}
	if zeros > 0 && !wide(head) {
		return true
	}
	return odd*20 > len(head)
}

// wide tells whether head looks like UTF-16 without a mark: nearly every second byte is zero.
func wide(head []byte) bool {
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	pairs := len(head) / 2
	return pairs > 0 && (zeros[0]*10 > pairs*8 && zeros[1] == 0 || zeros[1]*10 > pairs*8 && zeros[0] == 0)
}
