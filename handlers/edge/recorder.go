package edge

import (
	"net/http"
	"strings"
)

// cachePublic begins the Cache-Control of an answer that is the same public file for everybody.
const cachePublic = "public"

// recorder notes what was answered, and keeps it out of caches. It passes
// http.ResponseController through.
type recorder struct {
	http.ResponseWriter
	status   int
	bytes    int64
	headOnly bool
}

// WriteHeader notes the first final status.
func (r *recorder) WriteHeader(code int) {
	if r.status == 0 && code >= http.StatusOK {
		r.status = code
		forbidCaching(r.Header())
	}
	r.ResponseWriter.WriteHeader(code)
}

// forbidCaching holds for every answer but public files: what a credential was asked for
// must not be kept where somebody without one could read it, and nor must a share token.
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

// Unwrap returns the writer below.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
