// Package generate makes questions from the structure of manuals: entries of option and definition lists, defaults, commands that a
// sentence announces, rows of tables, headings and the versions in which something came.
//
// It depends on nothing but the documents: the same documents give the same questions. It asks only where the answer is unambiguous: an
// entry that a set explains twice, or that names two defaults, is left out.
package generate
