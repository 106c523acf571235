// Package manuals scores replies to questions about manuals: whether a reply holds the facts of the answer, whether its first statement
// does, whether it says the value of another entry instead, and whether it can be read.
//
// The functions are pure: they get a question and a reply and need no service. A question that no document answers is right when it is
// refused. The questions written by hand are in the folder questions; the others are made from the manuals by the package generate.
package manuals
