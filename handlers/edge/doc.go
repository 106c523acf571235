// Package edge holds the steps that every request passes: request id, log line, checks
// of URL and body, CORS, credentials, rates, the project gate, deadlines and the one
// classifier of errors. It does not know the types of the operations: the API packages
// import edge, build their generated servers with its parts, and pass them to Handler.
//
// The invariant: whatever a client sends is answered with a documented status and the
// error body of the API that it called.
package edge
