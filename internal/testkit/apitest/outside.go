package apitest

import (
	"context"
	"errors"
	"net/netip"
	"strings"
)

// names resolves every name below example.com to a public address, except inside.example.com.
// It resolves no other name, so tests ask no name server.
type names struct{}

// LookupNetIP resolves host as names says.
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
