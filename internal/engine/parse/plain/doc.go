// Package plain reads plain text of any common encoding.
//
// The extracted text is the file in UTF-8; blocks point into it.
package plain
