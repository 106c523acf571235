// Package background waits for work that continues after the request that started it.
//
// It starts nothing and bounds nothing. Its invariant: no wait is longer than its context.
package background
