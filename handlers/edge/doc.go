// Package edge holds the steps that every request passes: request id, log line, checks
// of URL and body, CORS, credentials, rates, the project gate, deadlines and the one
// classifier of errors. It knows no operation's types: the API packages beside it import
// it, build their generated servers with its parts and hand them in.
//
// The invariant: whatever a client sends is answered with a documented status and the
// error body of the API that it called.
package edge
