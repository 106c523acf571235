// Package ragapi holds the handlers of the retrieval API, which rag clients call: search,
// answers, and the documents that they ingest.
//
// A handler converts the request, calls one service, and converts the result. It decides
// nothing that a service could decide, and writes no error itself.
package ragapi
