// Package markup shows a document's words in an answer that may be rendered as Markdown: addresses
// as they stand, as text, and code verbatim.
//
// It knows no question. Its invariant: the markup of Markdown makes no link of a document's words,
// and nothing of an address that runs a script.
package markup
