package edge

import (
	"net/http"
	"strings"
)

// cachePublic is the start of the Cache-Control of an answer that is the same for everybody.
const cachePublic = "public"

// recorder records the status and the size of the answer for the log line, and forbids
// caching it. http.ResponseController works through it.
type recorder struct {
	http.ResponseWriter
	status   int
	bytes    int64
	headOnly bool
}

// WriteHeader records the first final status.
func (r *recorder) WriteHeader(code int) {
	if r.status == 0 && code >= http.StatusOK {
		r.status = code
		forbidCaching(r.Header())
	}
	r.ResponseWriter.WriteHeader(code)
}

// forbidCaching forbids caching of every answer except public files: from a cache,
// somebody without a credential could read an answer that needed one, or a share token.
func forbidCaching(h http.Header) {
	if !strings.HasPrefix(h.Get("Cache-Control"), cachePublic) {
		h.Set("Cache-Control", "no-store")
	}
}

// Write writes the body, unless the request was a HEAD.
func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.WriteHeader(http.StatusOK)
	}
	if r.headOnly {
		return len(p), nil
	}
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// Unwrap returns the wrapped writer; http.ResponseController calls it.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
