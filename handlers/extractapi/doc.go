// Package extractapi holds the handlers of the Extract API. A group of operations
// (x-ogen-operation-group in openapi/extract.yaml) has one file, named after it.
//
// A handler converts the request, calls one service, and converts the result. It decides
// nothing that a service could decide, and writes no error itself.
package extractapi
