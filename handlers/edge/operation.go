package edge

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"docqa/gen/operations"
)

// api names one of the three APIs that share the port.
type api int

const (
	apiMain api = iota
	apiExtract
	apiRag
)

// apiOf returns the API that a path belongs to. It decides the form of errors, also for
// unknown paths.
func apiOf(path string) api {
	switch {
	case path == "/v1/rag" || strings.HasPrefix(path, "/v1/rag/"):
		return apiRag
	case path == "/v1/extract" || strings.HasPrefix(path, "/v1/extract/"), path == "/extract" || strings.HasPrefix(path, "/extract/"):
		return apiExtract
	}
	return apiMain
}

// operation is what the contract says of the operation that a request calls. The zero
// value is no operation.
type operation struct {
	operations.Operation

	api     api
	name    string // the generated name
	group   string
	pattern string // the contract's path
	method  string
}

func (o operation) known() bool { return o.name != "" }

// crossOrigin reports whether browsers may read the answer from any origin. That holds for
// operations that widgets and share pages call; checkOrigin then applies the project's own
// list to the request itself.
//
// Source: docs/decisions.md#browsers.
func (o operation) crossOrigin() bool {
	return o.Access == operations.Public || o.Access == operations.Browser
}

// API is a generated server with its handlers. The zero value serves nothing.
type API struct {
	server http.Handler
	find   func(method string, u *url.URL) (operation, bool)
}

// route is what a generated router returns for an operation.
type route interface {
	Name() string
	OperationID() string
	OperationGroup() string
	PathPattern() string
}

// NewAPI wraps a generated server for Served. If only is not empty, only the operations
// that it names are served.
func NewAPI[R route](server interface {
	http.Handler
	FindPath(method string, u *url.URL) (R, bool)
}, only ...string,
) API {
	return API{server: server, find: func(method string, u *url.URL) (operation, bool) {
		r, ok := server.FindPath(method, u)
		if !ok || len(only) > 0 && !slices.Contains(only, r.Name()) {
			return operation{}, false
		}
		facts, ok := operations.Find(r.OperationID())
		return operation{Operation: facts, name: r.Name(), group: r.OperationGroup(), pattern: r.PathPattern(), method: method}, ok
	}}
}

// router finds the operation of a request in all three APIs.
type router map[api]API

func (r router) find(method string, u *url.URL) operation {
	which := apiOf(u.Path)
	served := r[which]
	if served.find == nil {
		return operation{}
	}
	op, _ := served.find(method, u)
	op.api = which
	return op
}

// allowed returns the methods of a path, HEAD included where there is GET. It is empty for
// unknown paths.
func (r router) allowed(u *url.URL) []string {
	var methods []string
	for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if r.find(m, u).known() {
			methods = append(methods, m)
		}
	}
	return withHead(methods)
}

func withHead(methods []string) []string {
	if slices.Contains(methods, http.MethodGet) {
		methods = append(methods, http.MethodHead)
	}
	return methods
}
