package wire

import (
	"context"
	"maps"
	"net/http"
	"strings"
)

// Endpoint is one address of a provider that answers a POST of JSON with server-sent events.
// Safe for concurrent use.
type Endpoint struct {
	http   *http.Client
	url    string
	header http.Header
}

// NewEndpoint returns the endpoint at a path below base. header holds what each request sends
// besides the Content-Type, such as the key.
func NewEndpoint(base, path string, header http.Header) *Endpoint {
	return &Endpoint{http: NewClient(), url: strings.TrimRight(base, "/") + path, header: header}
}

// Stream posts body and calls each for the data of every event of the answer. Errors: as Do
// and Events.
func (e *Endpoint) Stream(ctx context.Context, body any, each func(data []byte) error) error {
	req, _, err := NewRequest(ctx, e.url, body)
	if err != nil {
		return err
	}
	maps.Copy(req.Header, e.header)
	resp, err := Do(e.http, req, "text/event-stream")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return Events(resp.Body, each)
}
