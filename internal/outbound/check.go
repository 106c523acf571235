package outbound

import (
	"context"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"docqa/internal/apperr"
)

// CheckURL judges a webhook's URL when it is saved, so that its owner learns early.
// It must be an absolute HTTPS URL without credentials whose host resolves to public
// addresses alone. Errors: 400 invalid_url, 400 url_not_allowed.
//
// Source: main API section 6 rule 1; gaps section 10.
func (g *Guard) CheckURL(ctx context.Context, rawURL string) error {
	u, err := url.Parse(rawURL)
	if err != nil || u.Hostname() == "" || u.Opaque != "" {
		return apperr.Invalid("invalid_url", "the URL is not valid")
	}
	if u.Port() != "" {
		if port, err := strconv.ParseUint(u.Port(), 10, 16); err != nil || port == 0 {
			return apperr.Invalid("invalid_url", "the URL is not valid")
		}
	}
	if u.Scheme != "https" {
		return apperr.Invalid("url_not_allowed", "the URL must start with https://")
	}
	if u.User != nil {
		return apperr.Invalid("url_not_allowed", "the URL must not hold credentials")
	}
	return g.checkHost(ctx, u.Hostname())
}

func (g *Guard) checkHost(ctx context.Context, host string) error {
	refused := apperr.Invalid("url_not_allowed", "the URL leads to an address that is not public")
	if isMetadataHost(host) {
		return refused
	}
	addresses, err := g.resolve(ctx, host)
	if err != nil || len(addresses) == 0 {
		return apperr.Invalid("url_not_allowed", "the URL's host does not resolve").Wrap(err)
	}
	for _, a := range addresses {
		if err := g.guardian.SafeAddr(a); err != nil {
			return refused.Wrap(err)
		}
	}
	return nil
}

// resolve returns the addresses that host stands for. A literal one is judged as it
// is written: the mapped form of a v4 address has no business in a URL.
func (g *Guard) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a.WithZone("")}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	addresses, err := g.resolver.LookupNetIP(ctx, "ip", host)
	for i := range addresses {
		addresses[i] = addresses[i].Unmap()
	}
	return addresses, err
}

func isMetadataHost(host string) bool {
	switch strings.ToLower(strings.TrimSuffix(host, ".")) {
	case "metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal":
		return true
	default:
		return false
	}
}
