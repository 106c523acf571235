// Package measure computes how good a ranking or an answer is if the expected result is
// known: precision, recall, reciprocal rank and nDCG of a ranking, and how much of an
// expected text an answer holds.
//
// It computes figures of single questions and their means; it knows no project and no model.
// Its invariant: every figure is from 0 to 1, and 1 is best.
package measure
