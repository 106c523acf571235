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

// apiOf returns the API that a path belongs to: it decides the shape of errors, also
// for paths that nobody serves.
func apiOf(path string) api {
	switch {
	case path == "/v1/rag" || strings.HasPrefix(path, "/v1/rag/"):
		return apiRag
	case path == "/v1/extract" || strings.HasPrefix(path, "/v1/extract/"), path == "/extract" || strings.HasPrefix(path, "/extract/"):
		return apiExtract
	}
	return apiMain
}

// operation is the place of a request in the contract; the zero value is none.
type operation struct {
	operations.Operation

	api     api
	name    string // the generated name
	group   string
	pattern string // the contract's path
	method  string
}

func (o operation) known() bool { return o.name != "" }

// crossOrigin tells whether browsers of any site may read the answer: what widgets and
// share pages call. The real request then enforces the project's own list.
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

// route is an operation as a generated router finds it.
type route interface {
	Name() string
	OperationID() string
	OperationGroup() string
	PathPattern() string
}

// NewAPI returns a generated server as the edge serves it. With only, every other
// operation is unknown.
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

// router finds operations, in all three APIs.
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

// allowed returns the methods that a path knows, HEAD beside GET; empty for unknown paths.
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
