// Package source reads the manuals that the questions are about: the visible text of HTML, plain text and PDF, with white space and
// typographic signs normalised, so that a quote can be looked for. It knows nothing of questions.
package source
