// Package panics turns panics into errors, for goroutines in which no server or library
// recovers from a panic. There a panic would end the process, with every request in it.
//
// It does not handle the error. Its invariant: Catch returns.
package panics
