// Package parsing reads the text of files, each in a confined child process with limits.
//
// Package parse knows the formats. This package starts the child, which is the service's own
// binary run as "docqa parse", and translates its errors. Its invariant: the process of the
// service interprets no byte of a document, except for the first few, which decide its format.
package parsing
