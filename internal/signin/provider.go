package signin

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/time/rate"

	"docqa/internal/apperr"
	"docqa/internal/clock"
)

const (
	providerTimeout = 5 * time.Second
	providerBytes   = 1 << 20
	refreshKeys     = time.Hour
	unknownKeyEvery = 5 * time.Second // a token with an unknown key may ask the provider that often
	retryAfter      = time.Second     // after the provider could not be reached
	leastKeyBits    = 2048
)

// provider is the identity provider as it describes itself.
type provider struct {
	issuer string
	client *http.Client
	clock  clock.Clock
	log    *slog.Logger
	start  func(jwks string) (keyfunc.Keyfunc, error)
	close  func()

	mu       sync.Mutex
	keyfunc  keyfunc.Keyfunc
	userinfo string
	failedAt time.Time
}

func newProvider(issuer string, client *http.Client, c clock.Clock, log *slog.Logger) *provider {
	if client == nil {
		client = &http.Client{
			Timeout:       providerTimeout,
			Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: providerTimeout, IdleConnTimeout: time.Minute},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	bounded := *client
	bounded.Transport = boundedTransport{base: client.Transport}
	ctx, cancel := context.WithCancel(context.Background())
	p := &provider{issuer: issuer, client: &bounded, clock: c, log: log, close: cancel}
	p.start = func(jwks string) (keyfunc.Keyfunc, error) { return p.newKeyfunc(ctx, jwks) }
	return p
}

// boundedTransport cuts answers off, so that a broken provider cannot fill the memory.
type boundedTransport struct{ base http.RoundTripper }

// RoundTrip does one request.
func (t boundedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	base := t.base
	if base == nil {
		base = &http.Transport{Proxy: http.ProxyFromEnvironment}
	}
	resp, err := base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(resp.Body, providerBytes), resp.Body}
	return resp, nil
}

// keys returns the way from a token to its key. It reaches the provider at the first
// call, and not more often than once a second while that fails.
func (p *provider) keys(ctx context.Context) (jwt.Keyfunc, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.keyfunc == nil {
		now := p.clock.Now()
		if now.Sub(p.failedAt) < retryAfter {
			return nil, unreachable(errors.New("the identity provider could not be reached a moment ago"))
		}
		// For everyone: the caller who came first may leave.
		if err := p.discover(context.WithoutCancel(ctx)); err != nil {
			p.failedAt = now
			return nil, unreachable(err)
		}
	}
	find := p.keyfunc.KeyfuncCtx(ctx)
	return func(t *jwt.Token) (any, error) {
		key, err := find(t)
		if err != nil {
			return nil, err
		}
		public, ok := key.(*rsa.PublicKey)
		if !ok || public.N.BitLen() < leastKeyBits {
			return nil, errors.New("the key is no RSA key of sufficient size")
		}
		return public, nil
	}, nil
}

func (p *provider) discover(ctx context.Context) error {
	data, _, err := p.get(ctx, strings.TrimSuffix(p.issuer, "/")+"/.well-known/openid-configuration", "")
	if err != nil {
		return err
	}
	var doc struct {
		Issuer   string `json:"issuer"`
		JWKS     string `json:"jwks_uri"`
		Userinfo string `json:"userinfo_endpoint"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return fmt.Errorf("read the provider's description: %w", err)
	}
	if doc.Issuer != p.issuer {
		return errors.New("the provider describes another issuer")
	}
	if p.keyfunc, err = p.start(doc.JWKS); err != nil {
		return fmt.Errorf("fetch the provider's keys: %w", err)
	}
	p.userinfo = doc.Userinfo
	return nil
}

func (p *provider) newKeyfunc(ctx context.Context, jwks string) (keyfunc.Keyfunc, error) {
	failFirst := false
	return keyfunc.NewDefaultOverrideCtx(ctx, []string{jwks}, keyfunc.Override{
		Client: p.client, HTTPTimeout: providerTimeout, NoErrorReturnFirstHTTPReq: &failFirst, RefreshInterval: refreshKeys,
		RefreshUnknownKID: rate.NewLimiter(rate.Every(unknownKeyEvery), 1), RateLimitWaitMax: time.Millisecond,
		RefreshErrorHandlerFunc: func(string) func(context.Context, error) {
			return func(ctx context.Context, err error) {
				p.log.WarnContext(ctx, "the identity provider's keys were not refreshed", "error", err)
			}
		},
	})
}

// get fetches a document of the provider. status is 0 where it could not be reached.
func (p *provider) get(ctx context.Context, url, bearer string) (data []byte, status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, providerTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, 0, err
	}
	if bearer != "" {
		req.Header.Set("Authorization", "Bearer "+bearer)
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer resp.Body.Close()
	if data, err = io.ReadAll(resp.Body); err != nil {
		return nil, 0, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, resp.StatusCode, fmt.Errorf("the identity provider answered %d", resp.StatusCode)
	}
	return data, resp.StatusCode, nil
}

func unreachable(err error) error {
	e := apperr.New(apperr.Unavailable, "idp_unavailable", "the identity provider cannot be reached")
	e.RetryAfter = retryAfter
	return e.Wrap(err)
}
