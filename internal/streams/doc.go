// Package streams stores the text that each streamed answer has sent so far, so that any
// process can resume an answer whose client lost the connection.
//
// It knows neither frames nor questions. A process writes the text of all its streams a few
// times a second, in one statement: no stream waits for it, and no answer fails if it fails.
// A finished answer is read from its stored message; its row here only holds the id of the
// message. Its invariant: the text that it returns is a beginning of the text that was sent.
//
// Source: docs/decisions.md#resumed-streams; docs/adr/0018-resumed-streams.md.
package streams
