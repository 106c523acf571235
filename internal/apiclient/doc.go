// Package apiclient calls the public API for the commands: the generated client with a
// credential, an upload in its four steps, waiting for the index, and reading an event
// stream frame by frame. It uses only what every client of the API may use.
package apiclient
