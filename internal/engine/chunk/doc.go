// Package chunk cuts an extracted document into the chunks that are searched and cited.
//
// It neither ranks nor stores them. Its invariant: a chunk's Text is the page's
// text from code point Start up to code point End, verbatim, and never crosses a page.
package chunk
