// Package resilient makes a client of one that may fail: it bounds how long a silence
// may last and how many calls run at once, repeats a call that failed before its first
// word, and leaves a provider alone for a while that keeps failing.
//
// It knows no provider. Its invariant: a listener never hears the beginning of two
// answers, and every failure is one that a client of ours may be told.
package resilient
