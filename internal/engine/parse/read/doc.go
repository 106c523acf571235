// Package read turns the bytes of a file into a document, whatever its format.
//
// It picks a reader and holds the limits; the formats themselves are the siblings'.
// PDF comes as the words that poppler found, see package pdf.
package read
