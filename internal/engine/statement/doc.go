// Package statement cuts a piece of a document's text into what can be quoted from it:
// sentences, table rows with the names of their columns, and listings, each with what it
// belongs to: its headings, its term, the sentence that announces it.
//
// It knows no question and no search, and it guesses nothing: what a block is, the parser said.
// Its invariants: the statements lie in order and do not overlap; the same piece gives the same
// statements; a statement holds no word that its piece does not hold.
package statement
