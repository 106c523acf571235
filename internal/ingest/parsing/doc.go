// Package parsing reads the text of uploaded files, each in a child process of its
// own under limits.
//
// The formats are package parse's; this package only starts the child, which is the
// service's own binary run as "docqa parse", and translates what can go wrong. Its
// invariant: no byte of a document is interpreted in the process of the service,
// but for the first few that decide its format.
package parsing
