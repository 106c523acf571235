package generate

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"golang.org/x/net/html"

	"docqa/eval/manuals/source"
)

// Document is a manual and what its structure says.
type Document struct {
	Set, Name string
	Subject   string // what the manual is about, as a user names it: "sort", "zsh", "the Python module csv"
	Text      string // with single spaces

	entries  []entry
	examples []example
	rows     []row
	sections []section
}

// entry is a term and its explanation.
type entry struct {
	term string // as it stands there
	name string // by which a user asks for it
	body string
	call []parameter // of a function of Python
}

type parameter struct{ name, value string }

// example is code and the sentence before it.
type example struct{ lead, code string }

// row is a cell of a table with the key of its row.
type row struct{ keyHeader, key, header, cell, whole string }

// section is a heading and the beginning of the text below it.
type section struct{ heading, text string }

// New reads the structure of a document. plain is the manual as plain text if data is a PDF.
func New(ctx context.Context, set, name string, data []byte, plain string) (*Document, error) {
	text, err := source.Text(ctx, name, data)
	if err != nil {
		return nil, err
	}
	d := &Document{Set: set, Name: name, Subject: subject(set, name), Text: text}
	switch path.Ext(name) {
	case ".html":
		root, err := html.Parse(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		d.readHTML(root)
	case ".pdf":
		d.readPlain(plain)
	default:
		d.readPlain(string(data))
	}
	return d, nil
}

func subject(set, name string) string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	switch set {
	case "man", "man-html", "man-pdf":
		return stem
	case "python":
		return "Python"
	case "sqlite":
		return "SQLite"
	case "perl":
		return "Perl"
	case "policy":
		return "Debian"
	default:
		return set
	}
}

// isManPage reports whether the document is the page of one program, whose options need its name.
func (d *Document) isManPage() bool { return strings.HasPrefix(d.Set, "man") }
