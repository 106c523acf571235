// Package instance runs an installation of its own for a measurement: `docqa dev` in a
// temporary data folder, with the rates lifted.
//
// It speaks to the binary as an operator does, by its commands and the file that it
// leaves. Its invariant: nothing it started is left running, nor is its folder.
package instance
