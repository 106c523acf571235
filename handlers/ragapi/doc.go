// Package ragapi holds the handlers of the retrieval API, which the operator's own
// programs call: search, answers, and the documents that they bring.
//
// A handler converts, calls one service, and converts back; it decides nothing that a
// service could decide, and writes no error itself.
package ragapi
