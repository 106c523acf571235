// Package streams keeps how far streamed answers are, so that any process can go on
// with one whose reader was cut off.
//
// It knows neither frames nor questions. What a process's streams have said is written
// a few times a second, all of them in one statement: no stream waits for it, and
// nothing depends on it. A finished answer is read from its stored message; what is kept
// here only says where that stands. Its invariant: what it gives is a beginning of what
// was said.
//
// Source: docs/decisions.md#resumed-streams; docs/adr/0018-resumed-streams.md.
package streams
