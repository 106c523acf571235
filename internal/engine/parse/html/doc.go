// Package html reads HTML pages: the article where a page has one, the whole body
// without its navigation where it has not.
//
// It loads nothing a page refers to. Its invariant: the extracted text is text of
// the page in its order; only white space is added.
package html
