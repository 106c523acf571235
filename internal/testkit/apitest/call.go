package apitest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Call is one request.
type Call struct {
	Method string
	Path   string
	As     *User             // signs in
	Token  string            // a bearer token
	Key    string            // X-Service-Key
	Share  string            // X-Service-Share-Token
	Origin string            // the header that browsers send
	Body   any               // sent as JSON
	Raw    string            // sent unchanged if Body is nil
	Type   string            // Content-Type; default application/json if there is a body
	Header map[string]string // more headers
}

// Answer is a response of the service.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends c and returns the answer. It fails t if the contract does not list the status for
// the operation, if an error has no error body, or if an answer may be cached although it is
// not a public file.
func (e *Env) Do(t *testing.T, c Call) *Answer {
	t.Helper()
	resp, err := e.client.Do(e.request(t, c))
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	a := &Answer{Status: resp.StatusCode, Header: resp.Header, Body: body}
	require.NotEmpty(t, a.Header.Get("X-Request-Id"))
	if cached := a.Header.Get("Cache-Control"); !cacheable(c.Path) || a.Status >= http.StatusBadRequest {
		require.Equal(t, "no-store", cached, "%s %s: %d", c.Method, c.Path, a.Status)
	}
	if op, ok := find(t, c.Method, c.Path); ok {
		require.Contains(t, slices.Concat(op.Statuses, []int{http.StatusNotImplemented}), a.Status, "%s answered an undocumented status: %s", op.ID, body)
		e.covered.note(op.ID, a.Status)
	}
	if a.Status >= http.StatusBadRequest {
		var doc struct{ Error, Code string }
		require.NoError(t, json.Unmarshal(body, &doc), "%s", body)
		require.NotEmpty(t, doc.Error)
		require.NotEmpty(t, doc.Code)
	}
	return a
}

// cacheable tells whether the path is that of a public file, which is the same for everybody.
func cacheable(path string) bool {
	return path == "/widget.js" || strings.HasPrefix(path, "/openapi/") || strings.HasSuffix(path, "/openapi.json")
}

func (e *Env) request(t *testing.T, c Call) *http.Request {
	t.Helper()
	body := []byte(c.Raw)
	if c.Body != nil {
		var err error
		body, err = json.Marshal(c.Body)
		require.NoError(t, err)
	}
	req, err := http.NewRequestWithContext(t.Context(), c.Method, e.URL+c.Path, bytes.NewReader(body))
	require.NoError(t, err)
	set := func(name, value string) {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if len(body) > 0 {
		set("Content-Type", "application/json")
	}
	set("Content-Type", c.Type)
	if c.As != nil {
		set("Authorization", "Bearer "+c.As.Token)
	}
	if c.Token != "" {
		set("Authorization", "Bearer "+c.Token)
	}
	set("X-Service-Key", c.Key)
	set("X-Service-Share-Token", c.Share)
	set("Origin", c.Origin)
	for name, value := range c.Header {
		set(name, value)
	}
	return req
}

// Require fails t if the status is another one. It returns the answer.
func (a *Answer) Require(t *testing.T, status int) *Answer {
	t.Helper()
	require.Equal(t, status, a.Status, "%s", a.Body)
	return a
}

// RequireError fails t if the status or the code of the error is another one.
func (a *Answer) RequireError(t *testing.T, status int, code string) *Answer {
	t.Helper()
	a.Require(t, status)
	require.Equal(t, code, a.Get(t, "code"), "%s", a.Body)
	return a
}

// Get returns the value at a dotted path of the JSON body, nil if there is none.
func (a *Answer) Get(t *testing.T, path string) any {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal(a.Body, &v), "%s", a.Body)
	for name := range strings.SplitSeq(path, ".") {
		object, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = object[name]
	}
	return v
}

// Text returns the string at a path. It fails t if there is none.
func (a *Answer) Text(t *testing.T, path string) string {
	t.Helper()
	s, ok := a.Get(t, path).(string)
	require.True(t, ok, "%s is no text in %s", path, a.Body)
	return s
}

// Into decodes the JSON body into v.
func (a *Answer) Into(t *testing.T, v any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(a.Body, v), "%s", a.Body)
}
