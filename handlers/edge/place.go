package edge

import (
	"errors"
	"net/netip"
	"slices"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
)

var errUnknownRole = errors.New("the contract names an unknown role")

// checkOrigin checks the Origin of a browser's request against the project's list. The
// comparison is exact; an empty list rejects every browser. An embed key without an Origin
// is refused.
//
// Source: main API section 5, the table of credentials.
func checkOrigin(kind authn.Kind, origin string, allowed []string) error {
	if origin == "" {
		if kind == authn.KindEmbed {
			return apperr.Forbidden(apperr.CodeOriginRequired, "an embed key needs the Origin header of a browser")
		}
		return nil
	}
	if !slices.Contains(allowed, origin) {
		return apperr.Forbidden(apperr.CodeOriginNotAllowed, "this origin is not allowed for the project")
	}
	return nil
}

// checkAddress checks the caller's address against the project's list of addresses and
// networks. An empty list allows every address.
//
// Source: main API section 5 rule 3; docs/decisions.md#address-allowlist.
func checkAddress(ip netip.Addr, allowed []string) error {
	if len(allowed) == 0 {
		return nil
	}
	for _, entry := range allowed {
		if prefix, err := netip.ParsePrefix(entry); err == nil && prefix.Contains(ip) {
			return nil
		}
		if addr, err := netip.ParseAddr(entry); err == nil && addr.Unmap() == ip {
			return nil
		}
	}
	return apperr.Forbidden(apperr.CodeIPNotAllowed, "this address is not allowed for the project")
}
