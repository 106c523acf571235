// Package apiclient is the public API as a command needs it: the generated client
// with a credential, uploads in their four steps, waiting for the index, and an
// event stream read frame by frame. It uses nothing that a partner could not.
package apiclient
