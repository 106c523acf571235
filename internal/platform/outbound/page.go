package outbound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"docqa/internal/platform/apperr"
)

// The bounds of reading one page or file.
const (
	pageTimeout = 2 * time.Minute // including all redirects and the body
	maxHops     = 5

	// The reading of a page ends if the site sends less than pageRate in a pageWindow: a slow
	// site would occupy a worker for the whole time.
	pageWindow = 10 * time.Second
	pageRate   = 20 << 10 // bytes in a window
)

// userAgent is the User-Agent in requests to sites.
const userAgent = "docqa/1.0 (document ingestion)"

// Page is the answer to a request for a page.
type Page struct {
	URL         string // after the redirects
	ContentType string // as the site declared it
	Body        io.ReadCloser
}

// CheckPage validates the URL of a page to be read, as CheckURL does for webhooks. Pages may
// use plain HTTP. Errors: 400 invalid_url, 400 url_not_allowed.
func (g *Guard) CheckPage(ctx context.Context, rawURL string) error {
	u, err := parsed(rawURL)
	if err != nil {
		return err
	}
	if u.Scheme != "https" && u.Scheme != "http" {
		return apperr.Invalid(apperr.CodeURLNotAllowed, "the URL must start with https:// or http://")
	}
	return g.checkHost(ctx, u.Hostname())
}

// Open requests the page at rawURL. The caller closes its body. Reading the body fails after
// two minutes in all, or if less than 2 KB a second arrive. Each redirect is checked like the
// URL itself, and the address is checked at every connection. Errors: 400 invalid_url, 400 url_not_allowed, 400 crawl_unreachable.
//
// Source: docs/decisions.md#outbound-addresses.
func (g *Guard) Open(ctx context.Context, rawURL string) (*Page, error) {
	bounded, cancel := context.WithTimeout(ctx, pageTimeout)
	page, err := g.follow(bounded, rawURL)
	if err != nil {
		cancel()
		if ctx.Err() != nil {
			return nil, ctx.Err() // the caller has ended the request; the site is not at fault
		}
		return nil, err
	}
	b := &body{ReadCloser: page.Body, ctx: ctx, cancel: cancel}
	b.watch = time.AfterFunc(g.pageWindow, b.measure(g.pageWindow))
	page.Body = b
	return page, nil
}

func (g *Guard) follow(ctx context.Context, rawURL string) (*Page, error) {
	for range maxHops + 1 {
		if err := g.CheckPage(ctx, rawURL); err != nil {
			if errors.Is(err, errUnresolved) { // the name could be resolved when the URL was saved
				return nil, unreachable("the page's host does not resolve", err)
			}
			return nil, err
		}
		page, next, err := g.hop(ctx, rawURL)
		if page != nil || err != nil {
			return page, err
		}
		rawURL = next
	}
	return nil, unreachable("the page redirects too often", nil)
}

// hop makes one request. It returns the page, or the URL to which the site redirects.
func (g *Guard) hop(ctx context.Context, rawURL string) (page *Page, next string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, rawURL, nil)
	if err != nil {
		return nil, "", apperr.Invalid(apperr.CodeInvalidURL, "the URL is not valid").Wrap(err)
	}
	req.Header.Set("User-Agent", userAgent)
	req.Header.Set("Accept", "text/html, application/pdf, text/markdown, text/plain, */*;q=0.5")
	resp, err := g.pages.Do(req)
	if err != nil {
		if refused(err) {
			return nil, "", errNotPublic().Wrap(err)
		}
		return nil, "", unreachable("the page could not be read", err)
	}
	switch {
	case resp.StatusCode == http.StatusOK:
		return &Page{URL: rawURL, ContentType: resp.Header.Get("Content-Type"), Body: resp.Body}, "", nil
	case resp.StatusCode >= 300 && resp.StatusCode < 400 && resp.Header.Get("Location") != "":
		_ = resp.Body.Close()
		target, err := resp.Location()
		if err != nil {
			return nil, "", unreachable("the page redirects to no valid address", err)
		}
		return nil, target.String(), nil
	}
	_ = resp.Body.Close()
	return nil, "", unreachable(fmt.Sprintf("the page could not be read: the site answered with status %d", resp.StatusCode), nil)
}

func unreachable(message string, cause error) error {
	return apperr.Invalid(apperr.CodeCrawlUnreachable, message).Wrap(cause)
}

// body is the body of a page. Closing it ends the request. Reading fails if too little arrives
// in a window. Errors while reading are faults of the site, unless the caller's context has
// ended.
type body struct {
	io.ReadCloser
	ctx    context.Context //nolint:containedctx // if it has ended, an error is not the site's fault
	cancel context.CancelFunc
	watch  *time.Timer
	came   atomic.Int64 // bytes in the current window
	slow   atomic.Bool
	waits  atomic.Bool // a Read is waiting for the site
}

// measure returns the function that runs at the end of every window. It ends the request if
// too little arrived while a Read was waiting.
func (b *body) measure(window time.Duration) func() {
	return func() {
		if b.came.Swap(0) < pageRate && b.waits.Load() {
			b.slow.Store(true)
			b.cancel()
			return
		}
		b.watch.Reset(window)
	}
}

// Read reads from the page.
func (b *body) Read(p []byte) (int, error) {
	b.waits.Store(true)
	n, err := b.ReadCloser.Read(p)
	b.waits.Store(false)
	b.came.Add(int64(n))
	switch {
	case err == nil, errors.Is(err, io.EOF):
	case b.ctx.Err() != nil:
		err = b.ctx.Err()
	case b.slow.Load():
		err = unreachable("the page was sent too slowly", err)
	default:
		err = unreachable("the page could not be read to its end", err)
	}
	return n, err
}

// Close ends the request.
func (b *body) Close() error {
	defer b.cancel()
	b.watch.Stop()
	return b.ReadCloser.Close()
}
