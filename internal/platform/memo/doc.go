// Package memo remembers the results of look-ups for a short while, so that a burst
// of requests with one credential asks the database once.
//
// It is no general cache: entries live for a fixed time, failures are not kept, and
// the number of entries is bounded. Its invariant: after Drop or DropGroup returns, no
// result of that key or group that was read before is ever answered again.
package memo
