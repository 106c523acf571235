package edge

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"docqa/internal/platform/apperr"
)

const (
	corsRequestHeaders = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Service-Key, X-Service-Share-Token"
	corsExposedHeaders = "X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Retry-After, Idempotency-Replayed"
	originLength       = 300
)

// cors decides which origins may read answers in a browser. Credentials are headers,
// never cookies, so the exact origin is echoed and Allow-Credentials is never sent.
type cors struct {
	dashboard []string // DASHBOARD_ORIGINS
}

// allowOrigin sets the CORS headers of one answer. An error has them too, so that the
// caller's script can read why the request was refused.
//
// Source: docs/decisions.md#browsers.
func (c cors) allowOrigin(h http.Header, op operation, origin string) {
	h.Add("Vary", "Origin")
	if origin == "" || !c.mayRead(op, origin) {
		return
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", corsExposedHeaders)
}

func (c cors) mayRead(op operation, origin string) bool {
	if op.crossOrigin() {
		return wellFormedOrigin(origin)
	}
	return slices.Contains(c.dashboard, origin)
}

// wellFormedOrigin reports whether s has the form of an Origin that a browser sends for
// a web page.
func wellFormedOrigin(s string) bool {
	if len(s) > originLength {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.Scheme+"://"+u.Host == s
}

// unrouted answers requests that are no operation: preflights, OPTIONS, wrong methods,
// unknown paths.
func (e *server) unrouted(w http.ResponseWriter, r *http.Request) {
	allowed := e.allowed(r.URL)
	if len(allowed) == 0 {
		e.Errors.Write(w, r, apperr.NotFound())
		return
	}
	allowed = append(allowed, http.MethodOptions)
	allow := strings.Join(allowed, ", ")
	if r.Method != http.MethodOptions {
		e.Errors.Write(w, r, apperr.MethodNotAllowed(allow, "this path does not know the method"))
		return
	}
	w.Header().Set("Allow", allow)
	if wanted := r.Header.Get("Access-Control-Request-Method"); wanted != "" {
		e.preflight(w.Header(), r, wanted, allowed)
	}
	w.WriteHeader(http.StatusNoContent)
}

func (e *server) preflight(h http.Header, r *http.Request, wanted string, allowed []string) {
	if wanted == http.MethodHead {
		wanted = http.MethodGet
	}
	h.Add("Vary", "Access-Control-Request-Method")
	op := e.find(wanted, r.URL)
	e.cors.allowOrigin(h, op, r.Header.Get("Origin"))
	if !op.known() || h.Get("Access-Control-Allow-Origin") == "" {
		return
	}
	h.Del("Access-Control-Expose-Headers")
	h.Set("Access-Control-Allow-Methods", strings.Join(allowed, ", "))
	h.Set("Access-Control-Allow-Headers", corsRequestHeaders)
	h.Set("Access-Control-Max-Age", "600")
}
