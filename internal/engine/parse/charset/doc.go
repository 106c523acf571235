// Package charset turns the bytes of a text file into UTF-8.
//
// It decides only about encodings. Its invariant: what it returns is valid UTF-8 without zero
// bytes, and text that was UTF-8 before keeps every character at its position.
package charset
