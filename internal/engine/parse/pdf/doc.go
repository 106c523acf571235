// Package pdf makes a document from what poppler's pdftotext -tsv prints: words with
// their boxes, in flows, blocks and lines.
//
// It never opens a PDF. Its invariant: every word of a page stands in the page's
// text once, in reading order; table rows stand on lines of their own.
package pdf
