package handlers

import "net/http"

// recorder notes what was answered. It passes http.ResponseController through.
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
	}
	r.ResponseWriter.WriteHeader(code)
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
