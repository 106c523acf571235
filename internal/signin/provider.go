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
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/panics"
)

const (
	providerTimeout = 5 * time.Second
	providerBytes   = 1 << 20
	refreshKeys     = time.Hour
	unknownKeyEvery = 5 * time.Second // how often tokens with an unknown key make us ask the provider at most
	retryAfter      = time.Second     // after the provider could not be reached
	leastKeyBits    = 2048
)

// provider is a client of the identity provider: its description and its keys.
type provider struct {
	issuer string
	client *http.Client
	clock  clock.Clock
	log    *slog.Logger
	life   context.Context //nolint:containedctx // for work that serves all requests; close ends it
	close  func()
	flight singleflight.Group

	mu       sync.Mutex
	keyfunc  keyfunc.Keyfunc
	userinfo string
	failedAt time.Time
}

func newProvider(d Deps) *provider {
	client := d.Client
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
	return &provider{issuer: d.Issuer, client: &bounded, clock: d.Clock, log: d.Logger, life: ctx, close: cancel}
}

// boundedTransport limits the size of answers, so that a broken provider cannot fill the memory.
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

// keys returns the function that finds a token's key. The first call connects to the
// provider; calls at the same time share that attempt. While connecting fails, it is tried at
// most once a second. A call waits until its ctx ends or the provider is closed.
func (p *provider) keys(ctx context.Context) (jwt.Keyfunc, error) {
	known := p.known()
	if known == nil {
		select {
		case found := <-p.flight.DoChan("", func() (any, error) { return nil, panics.Catch(p.connect) }):
			if found.Err != nil {
				return nil, unreachable(found.Err)
			}
			known = p.known()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	find := known.KeyfuncCtx(ctx)
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

// known returns the provider's keys, or nil if the provider was not reached yet.
func (p *provider) known() keyfunc.Keyfunc {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.keyfunc
}

// connect reads the provider's description and its keys. The caller makes sure that only one
// call runs at a time.
func (p *provider) connect() error {
	p.mu.Lock()
	known, failedAt := p.keyfunc, p.failedAt
	p.mu.Unlock()
	if known != nil {
		return nil
	}
	now := p.clock.Now()
	if now.Sub(failedAt) < retryAfter {
		return errors.New("the identity provider could not be reached a moment ago")
	}
	found, userinfo, err := p.discover()
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.failedAt = now
		return err
	}
	p.keyfunc, p.userinfo = found, userinfo
	return nil
}

func (p *provider) discover() (keys keyfunc.Keyfunc, userinfo string, err error) {
	data, _, err := p.get(p.life, strings.TrimSuffix(p.issuer, "/")+"/.well-known/openid-configuration", "")
	if err != nil {
		return nil, "", err
	}
	var doc struct {
		Issuer   string `json:"issuer"`
		JWKS     string `json:"jwks_uri"`
		Userinfo string `json:"userinfo_endpoint"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, "", fmt.Errorf("read the provider's description: %w", err)
	}
	if doc.Issuer != p.issuer {
		return nil, "", errors.New("the provider describes another issuer")
	}
	if keys, err = p.newKeyfunc(p.life, doc.JWKS); err != nil {
		return nil, "", fmt.Errorf("fetch the provider's keys: %w", err)
	}
	return keys, doc.Userinfo, nil
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

// get fetches a document of the provider. status is 0 if the provider could not be reached.
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
	e := apperr.New(apperr.KindUnavailable, apperr.CodeIDPUnavailable, "the identity provider cannot be reached")
	e.RetryAfter = retryAfter
	return e.Wrap(err)
}
