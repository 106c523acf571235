// Package background waits for work that goes on after the request that began it.
//
// It starts nothing and bounds nothing. Its invariant: no wait is longer than its context.
package background
