package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"docqa/internal/provider/llm"
)

const (
	dialTimeout  = 5 * time.Second
	idleTimeout  = 90 * time.Second
	idlePerHost  = 256
	messageBytes = 512 // of an error's body
	mostWait     = time.Minute
	overloaded   = 529 // Anthropic's own
)

// NewClient returns the HTTP client of one provider. Its address is the operator's
// word, so that it may be private; it follows no redirect, which would carry the key
// elsewhere. How long a call may take is up to its context.
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

// NewRequest returns a POST of body as JSON.
func NewRequest(ctx context.Context, url string, body any) (*http.Request, []byte, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, nil, fmt.Errorf("encode a prompt: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(data))
	if err != nil {
		return nil, nil, fmt.Errorf("make a request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	return req, data, nil
}

// Do sends req and returns the answer where its status is 200 and its type contentType;
// everything else is a ProviderError. The caller closes the body.
func Do(client *http.Client, req *http.Request, contentType string) (*http.Response, error) {
	resp, err := client.Do(req)
	if err != nil {
		return nil, Broken(err)
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		return nil, refused(resp)
	}
	got := resp.Header.Get("Content-Type")
	if len(got) < len(contentType) || got[:len(contentType)] != contentType {
		_ = resp.Body.Close()
		return nil, Nonsense("the answer is no " + contentType)
	}
	return resp, nil
}

// Broken is a connection that did not come about or broke off.
func Broken(err error) error { return &llm.ProviderError{Temporary: true, Err: err} }

// Nonsense is an answer that is none of the provider's protocol.
func Nonsense(what string) error { return &llm.ProviderError{Temporary: true, Err: errors.New(what)} }

// Reported is an error that the provider sent within an answer; kind is its own word
// for it.
func Reported(kind string, temporary bool) error {
	return &llm.ProviderError{Temporary: temporary, Err: fmt.Errorf("the provider reported %.100q", kind)}
}

// refused judges a status. The body is for the log: its beginning says what is wrong.
func refused(resp *http.Response) error {
	message, _ := io.ReadAll(io.LimitReader(resp.Body, messageBytes))
	f := &llm.ProviderError{Status: resp.StatusCode, Err: fmt.Errorf("the provider answered %q", message)}
	switch resp.StatusCode {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout, overloaded:
		f.Temporary = true
	}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds > 0 {
		f.RetryAfter = min(time.Duration(seconds)*time.Second, mostWait)
	}
	return f
}
