// Package statement cuts the text of a passage into what can be quoted from it:
// sentences without their markup, and table rows with the names of their columns.
//
// It knows no question and no search. Its invariants: the statements lie in order and
// do not overlap; the same text gives the same statements; a statement holds no word
// that its passage does not hold.
package statement
