// Package doc is the block model of an extracted document: pages of text and the
// blocks that lie in it. Every parser produces it, chunking and citing read it.
//
// It knows no file format and no search. Its invariant: a block's Text is the
// page's Text from code point Start up to code point End, and the blocks of a page
// stand in reading order without overlap.
package doc
