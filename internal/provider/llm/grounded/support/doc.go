// Package support tells how well passages hold what a sentence says: by its words, without those
// of the question, and by its figures.
//
// It knows no model and no reply. Its invariant: the support is from 0 to 1, and equal passages
// and sentences give equal support.
package support
