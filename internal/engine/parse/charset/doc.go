// Package charset turns the bytes of a text file into UTF-8.
//
// It judges encodings only. Its invariant: what it returns is valid UTF-8 with \n as
// line end and without zero bytes.
package charset
