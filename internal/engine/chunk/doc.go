// Package chunk cuts an extracted document into the passages that are searched and
// cited.
//
// It ranks nothing and stores nothing. Its invariant: a chunk's Text is the page's
// text from code point Start up to code point End, verbatim, and never crosses a page.
package chunk
