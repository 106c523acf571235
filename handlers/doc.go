// Package handlers is the HTTP edge: it fills in the generated servers of the three
// APIs, and holds what every request passes: request id, log line, hygiene, CORS,
// credentials, rates, the project gate and the one classifier of errors.
//
// A handler converts, calls one service, and converts back; it decides nothing that a
// service could decide, and writes no error itself. The invariant: whatever a client
// sends is answered with a documented status and the error body of the API it called.
package handlers
