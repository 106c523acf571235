// Package mainapi holds the handlers of the main API. A group of operations
// (x-ogen-operation-group in openapi/main.yaml) has one file, named after it: billing.go,
// handoff.go, widget.go. Its converters are in the same file or in <group>_convert.go.
//
// A handler converts the request, calls one service, and converts the result. It decides
// nothing that a service could decide, and writes no error itself.
package mainapi
