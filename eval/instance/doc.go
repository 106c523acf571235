// Package instance runs `docqa dev` in a temporary folder for a measurement, with rate limits that do not matter.
//
// It uses the binary as an operator does: its commands and the file dev.json. Its invariant: Stop leaves no process and no folder.
package instance
