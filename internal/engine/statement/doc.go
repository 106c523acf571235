// Package statement splits the text of a passage into statements that can be quoted: sentences
// without markup, and table rows with the names of their columns.
//
// It knows no question and no search. Its invariants: the statements are in the order of the
// text and do not overlap; the same text gives the same statements; a statement holds no word
// that its passage does not hold.
package statement
