package edge

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"docqa/gen/operations"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/limits"
)

// screenURL refuses a request whose path, query or stored headers hold text that
// Postgres cannot store: NUL or invalid UTF-8. It runs before anything decodes them.
func screenURL(r *http.Request) error {
	if !storable(r.URL.Path) {
		return apperr.Invalid(apperr.CodeValidationError, "the path is not valid text")
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return apperr.Invalid(apperr.CodeValidationError, "the query is not valid")
	}
	for name, values := range query {
		if !storable(name) || !storable(strings.Join(values, "")) {
			return apperr.Invalid(apperr.CodeValidationError, "the query is not valid text")
		}
	}
	for _, name := range []string{"Idempotency-Key", "Last-Event-Id"} {
		if !storable(strings.Join(r.Header.Values(name), "")) {
			return apperr.Validation(name, "is not valid text")
		}
	}
	return nil
}

func storable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// guardBody limits the size of the body and checks its JSON. Both happen when the body
// is read, which is after the check of the credentials: 401 comes before 400 and 413.
// It also sets a missing or unreadable Content-Type, which the generated decoders would
// report as a malformed body.
func guardBody(w http.ResponseWriter, r *http.Request, op operation) {
	if r.Method == http.MethodGet || r.Method == http.MethodDelete {
		return
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		media = "application/octet-stream"
		if r.ContentLength == 0 {
			media = "application/json"
		}
		r.Header.Set("Content-Type", media)
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		r.Body = &screenedBody{source: r.Body, err: apperr.New(apperr.KindUnsupportedMedia, apperr.CodeUnsupportedMediaType, "send the body without Content-Encoding")}
		return
	}
	limited := http.MaxBytesReader(w, r.Body, limits.BodyBytes)
	if op.Access == operations.Provider || media != "application/json" {
		r.Body = limited
		return
	}
	r.Body = &screenedBody{source: limited}
}

// screenedBody reads the whole JSON body at the first Read and checks it by screenJSON.
// Read fails if the check fails.
type screenedBody struct {
	source io.ReadCloser
	rest   *bytes.Reader
	err    error
}

// Read reads from the checked body.
func (b *screenedBody) Read(p []byte) (int, error) {
	if b.rest == nil && b.err == nil {
		data, err := io.ReadAll(b.source)
		if err == nil {
			err = screenJSON(data)
		}
		b.rest, b.err = bytes.NewReader(data), err
	}
	if b.err != nil {
		return 0, b.err
	}
	return b.rest.Read(p)
}

// Close closes the request's body.
func (b *screenedBody) Close() error { return b.source.Close() }
