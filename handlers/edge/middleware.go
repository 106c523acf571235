package edge

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"docqa/internal/platform/accesslog"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/ids"
)

// server answers the requests of all APIs.
type server struct {
	*Edge
	router
	tools Tools
}

// ServeHTTP gives the request its id and its info, and writes its log line.
func (e *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := e.clock.Now()
	rec := &recorder{ResponseWriter: w, headOnly: r.Method == http.MethodHead}
	info := &requestInfo{
		id: ids.New(ids.Request), ip: clientIP(r, e.trustedProxies), origin: r.Header.Get("Origin"), path: r.URL.Path, header: w.Header(),
		classifier: e.Errors,
	}
	w.Header().Set("X-Request-Id", info.id)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	ctx := withInfo(r.Context(), info)
	defer func() { e.line(r.Method, info, rec, start).Write(ctx, e.log) }()
	e.recovering(rec, r.WithContext(ctx))
}

func (e *server) line(method string, info *requestInfo, rec *recorder, start time.Time) accesslog.Line {
	l := accesslog.Line{
		RequestID: info.id, Method: method, Route: info.op.pattern, Operation: info.op.name, Status: rec.status, Bytes: rec.bytes,
		Duration: e.clock.Now().Sub(start), ClientIP: info.ip.String(), Code: string(info.code), Err: info.cause,
		CompanyID: info.principal.CompanyID, ProjectID: info.principal.ProjectID, Caller: caller(info.principal),
	}
	if info.project != nil {
		l.ProjectID = info.project.ProjectID
	}
	return l
}

// caller names a principal in the log: its kind, and the id of the person or key.
func caller(p authn.Principal) string {
	return strings.TrimSpace(string(p.Kind) + " " + p.UserID + p.KeyID)
}

// recovering answers the request, also if a handler panics.
func (e *server) recovering(rec *recorder, r *http.Request) {
	defer e.rescue(rec, r)
	e.admit(rec, r)
}

// rescue answers a panic with 500. If the answer has already begun, it breaks the
// connection instead, so that the client does not take a part of the answer for all of it.
func (e *server) rescue(rec *recorder, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if err, ok := p.(error); ok && err == http.ErrAbortHandler { //nolint:errorlint // the value itself is the signal
		panic(p)
	}
	err := fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	if rec.status != 0 {
		infoFrom(r.Context()).cause = err
		panic(http.ErrAbortHandler)
	}
	e.Errors.Write(rec, r, err)
}

// admit runs the checks that come before the credentials and passes the request to the
// generated server of its operation.
func (e *server) admit(w http.ResponseWriter, r *http.Request) {
	if err := screenURL(r); err != nil {
		e.Errors.Write(w, r, err)
		return
	}
	if doc, ok := e.documents[r.URL.Path]; ok {
		e.serveDocument(w, r, doc)
		return
	}
	if e.tools.Handler != nil && r.URL.Path == e.tools.Path {
		e.serveTools(w, r)
		return
	}
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	info := infoFrom(r.Context())
	info.op = e.find(method, r.URL)
	if !info.op.known() {
		e.unrouted(w, r)
		return
	}
	e.cors.allowOrigin(w.Header(), info.op, info.origin)
	if err := e.Limits.public(r.Context(), info); err != nil {
		e.Errors.Write(w, r, err)
		return
	}
	r = r.Clone(r.Context())
	r.Method = method
	guardBody(w, r, info.op)
	r, cancel := e.bounded(r, info.op)
	defer cancel()
	e.router[info.op.api].server.ServeHTTP(w, r)
}
