// Package refusal recognizes sentences in which a language model says that the passages hold no
// answer, in the languages that questions are asked in.
//
// It knows no passage and no question. Its invariant: a sentence that says something else beside
// it is no refusal.
package refusal
