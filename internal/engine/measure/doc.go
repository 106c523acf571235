// Package measure says how good a ranking and an answer are, where one knows what was
// wanted: precision, recall, reciprocal rank and nDCG of a ranking, and how much of an
// expected text an answer holds.
//
// It judges single questions and averages them; it knows no project and no model. Its
// invariant: every figure is from 0 to 1, and 1 is best.
package measure
