// Package panics turns panics into errors, for goroutines that no server or library
// recovers: there a panic would end the process, with every request in it.
//
// It decides nothing about the error. Its invariant: Catch returns.
package panics
