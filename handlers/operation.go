package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"docqa/gen/extractapi"
	"docqa/gen/mainapi"
	"docqa/gen/ragapi"
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
	api     api
	name    string // the generated name
	group   string
	pattern string // the contract's path
	method  string
}

func (o operation) known() bool { return o.name != "" }

// router finds operations, in all three APIs.
type router struct {
	main    *mainapi.Server
	extract *extractapi.Server
	rag     *ragapi.Server

	extractOff bool // all of Extract but its health is unknown
}

func (r router) find(method string, u *url.URL) operation {
	switch which := apiOf(u.Path); which {
	case apiExtract:
		if r.extract != nil {
			f, ok := r.extract.FindPath(method, u)
			if ok && (!r.extractOff || f.Name() == extractapi.GetExtractHealthOperation) {
				return operation{which, f.Name(), f.OperationGroup(), f.PathPattern(), method}
			}
		}
	case apiRag:
		if r.rag != nil {
			if f, ok := r.rag.FindPath(method, u); ok {
				return operation{which, f.Name(), f.OperationGroup(), f.PathPattern(), method}
			}
		}
	case apiMain:
		if r.main != nil {
			if f, ok := r.main.FindPath(method, u); ok {
				return operation{which, f.Name(), f.OperationGroup(), f.PathPattern(), method}
			}
		}
	}
	return operation{}
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

func (r router) server(which api) http.Handler {
	switch which {
	case apiExtract:
		return r.extract
	case apiRag:
		return r.rag
	case apiMain:
	}
	return r.main
}
