// Package mainapi holds the handlers of the main API. A group of operations
// (x-ogen-operation-group in openapi/main.yaml) has one file, named after it: billing.go,
// handoff.go, widget.go. Its converters stand beside it, in the file or in <group>_convert.go.
//
// A handler converts, calls one service, and converts back; it decides nothing that a
// service could decide, and writes no error itself.
package mainapi
