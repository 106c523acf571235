package apitest

import (
	"context"
	"errors"
	"io"
	"net/netip"
	"strings"

	"docqa/internal/apperr"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
	"docqa/internal/engine/parse/read"
)

// names resolves every name below example.com to a public address but
// inside.example.com, and no other name: tests ask no name server.
type names struct{}

// LookupNetIP answers from the table.
func (names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	switch {
	case host == "inside.example.com":
		return []netip.Addr{netip.MustParseAddr("10.0.0.7")}, nil
	case strings.HasSuffix(host, ".example.com"):
		return []netip.Addr{netip.MustParseAddr("93.184.215.14")}, nil
	default:
		return nil, errors.New("no such host")
	}
}

// reader reads files in the test's own process; the product reads them in a child.
type reader struct{}

// Parse reads a file.
func (reader) Parse(_ context.Context, f parse.Format, file io.Reader) (*doc.Document, error) {
	d, err := read.Document(f, file)
	if e, ok := errors.AsType[*parse.Error](err); ok {
		return nil, apperr.Invalid(e.Code, e.Message)
	}
	return d, err
}
