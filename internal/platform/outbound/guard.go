package outbound

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"time"

	"code.dny.dev/ssrf"
)

const (
	defaultTimeout = 15 * time.Second
	dialTimeout    = 5 * time.Second
	lookupTimeout  = 5 * time.Second
)

// Resolver finds the addresses of a name, as *net.Resolver does.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Options are the settings of a Guard. The zero value allows only public addresses.
type Options struct {
	AllowCIDRs []string      // private networks that may be reached
	CAFile     string        // additional certificate authorities, PEM
	Timeout    time.Duration // of one whole request; default 15 s
	Resolver   Resolver      // default: the system's
	PageWindow time.Duration // time in which 20 KB of a page must arrive; default 10 s
}

// Guard checks addresses and makes the client, which cannot reach refused addresses.
// Safe for concurrent use.
type Guard struct {
	guardian *ssrf.Guardian
	resolver Resolver
	client   *http.Client // for calls; bounded by Timeout
	pages    *http.Client // for pages; the context bounds the time

	pageWindow time.Duration
}

// New makes a Guard. It fails on a malformed network and on an unreadable CA file.
func New(opts Options) (*Guard, error) {
	v4, v6, err := allowed(opts.AllowCIDRs)
	if err != nil {
		return nil, err
	}
	roots, err := authorities(opts.CAFile)
	if err != nil {
		return nil, err
	}
	g := &Guard{resolver: opts.Resolver, pageWindow: opts.PageWindow}
	if g.pageWindow == 0 {
		g.pageWindow = pageWindow
	}
	if g.resolver == nil {
		g.resolver = net.DefaultResolver
	}
	g.guardian = ssrf.New(
		ssrf.WithAnyPort(),
		ssrf.WithAllowedV4Prefixes(v4...),
		ssrf.WithAllowedV6Prefixes(v6...),
		// Cloud machines reach services of their host at this address, which looks public.
		ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix("168.63.129.16/32")),
	)
	timeout := opts.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	g.client = newClient(g.guardian, roots, timeout)
	g.pages = newClient(g.guardian, roots, timeout)
	g.pages.Timeout = 0
	return g, nil
}

// Client returns the client for outbound calls. It checks the address at every connection, so
// that a name may not resolve to another address later. It returns a 3xx as it is.
func (g *Guard) Client() *http.Client { return g.client }

func newClient(guardian *ssrf.Guardian, roots *x509.CertPool, timeout time.Duration) *http.Client {
	dialer := &net.Dialer{Timeout: dialTimeout, Control: guardian.Safe}
	return &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{ // no proxy from the environment: it would connect for the client without the check
			DialContext:           dialer.DialContext,
			TLSClientConfig:       &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:   dialTimeout,
			ResponseHeaderTimeout: timeout,
			MaxIdleConns:          20,
			IdleConnTimeout:       30 * time.Second,
			ForceAttemptHTTP2:     true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func allowed(cidrs []string) (v4, v6 []netip.Prefix, err error) {
	for _, cidr := range cidrs {
		p, err := netip.ParsePrefix(cidr)
		if err != nil {
			return nil, nil, fmt.Errorf("read the allowed network %q: %w", cidr, err)
		}
		if p.Addr().Is4() {
			v4 = append(v4, p.Masked())
		} else {
			v6 = append(v6, p.Masked())
		}
	}
	return v4, v6, nil
}

func authorities(path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil //nolint:nilnil // nil means the system's authorities
	}
	pem, err := os.ReadFile(path) //nolint:gosec // the operator's setting
	if err != nil {
		return nil, fmt.Errorf("read the outbound CA file: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("read the outbound CA file: %s holds no certificate", path)
	}
	return pool, nil
}
