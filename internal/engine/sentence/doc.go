// Package sentence finds the sentences of a text.
//
// It knows no document and no search. Its invariant: the spans lie in order,
// do not overlap, are not empty and hold every character that is not white space.
package sentence
