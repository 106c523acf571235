package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

const (
	dialTimeout = 5 * time.Second
	idleTimeout = 90 * time.Second
	idlePerHost = 256
)

// NewClient returns the HTTP client of one provider. The operator sets the provider's address,
// so it may be a private one. The client follows no redirect, because a redirect could send
// the key to another server. The context of a call bounds its time.
func NewClient() *http.Client {
	dialer := &net.Dialer{Timeout: dialTimeout}
	return &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: dialTimeout,
			MaxIdleConnsPerHost: idlePerHost, IdleConnTimeout: idleTimeout, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// NewRequest returns a POST of body as JSON. It also returns the JSON, for providers that
// require a signature.
func NewRequest(ctx context.Context, url string, body any) (*http.Request, []byte, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, nil, fmt.Errorf("encode a request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(data))
	if err != nil {
		return nil, nil, fmt.Errorf("make a request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	return req, data, nil
}

// Do sends req and returns the answer if its status is 200 and its type is contentType; an
// empty contentType allows any type. Everything else is an Error. The caller closes the body.
func Do(client *http.Client, req *http.Request, contentType string) (*http.Response, error) {
	resp, err := client.Do(req)
	if err != nil {
		return nil, Broken(err)
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		return nil, refused(resp)
	}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), contentType) {
		_ = resp.Body.Close()
		return nil, Malformed("the answer is no " + contentType)
	}
	return resp, nil
}
