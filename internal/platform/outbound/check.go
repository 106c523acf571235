package outbound

import (
	"context"
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"code.dny.dev/ssrf"

	"docqa/internal/platform/apperr"
)

// CheckURL validates a webhook's URL when it is saved, so that its owner sees an error at
// once. It must be an absolute HTTPS URL without credentials whose host resolves only to
// public addresses. Errors: 400 invalid_url, 400 url_not_allowed.
//
// Source: main API section 6 rule 1; docs/decisions.md#outbound-addresses.
func (g *Guard) CheckURL(ctx context.Context, rawURL string) error {
	u, err := parsed(rawURL)
	if err != nil {
		return err
	}
	if u.Scheme != "https" {
		return apperr.Invalid(apperr.CodeURLNotAllowed, "the URL must start with https://")
	}
	return g.checkHost(ctx, u.Hostname())
}

// parsed reads an absolute URL without credentials.
func parsed(rawURL string) (*url.URL, error) {
	u, err := url.Parse(rawURL)
	if err != nil || u.Hostname() == "" || u.Opaque != "" || !validPort(u.Port()) {
		return nil, apperr.Invalid(apperr.CodeInvalidURL, "the URL is not valid")
	}
	if u.User != nil {
		return nil, apperr.Invalid(apperr.CodeURLNotAllowed, "the URL must not hold credentials")
	}
	return u, nil
}

// validPort accepts no port, or a number from 1 to 65535.
func validPort(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

func (g *Guard) checkHost(ctx context.Context, host string) error {
	if isMetadataHost(host) {
		return errNotPublic()
	}
	addresses, err := g.resolve(ctx, host)
	if err != nil || len(addresses) == 0 {
		return apperr.Invalid(apperr.CodeURLNotAllowed, "the URL's host does not resolve").Wrap(errors.Join(errUnresolved, err))
	}
	for _, a := range addresses {
		if err := g.guardian.SafeAddr(a); err != nil {
			return errNotPublic().Wrap(err)
		}
	}
	return nil
}

func errNotPublic() *apperr.Error {
	return apperr.Invalid(apperr.CodeURLNotAllowed, "the URL leads to an address that is not public")
}

var errUnresolved = errors.New("the name has no address")

// refused tells whether err says that the connection was refused because of its address.
func refused(err error) bool {
	return errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedNetwork) || errors.Is(err, ssrf.ErrProhibitedPort)
}

// resolve returns the addresses of host. A literal address is checked as it is written: a URL
// may not hold the IPv6 form of an IPv4 address.
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
