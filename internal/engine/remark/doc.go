// Package remark has the sentences that the service says in its own words, in the languages
// that it knows, and recognises messages that ask nothing, such as "hi" and "thanks".
//
// It searches nothing. Its invariant: a message with a question in it, or with any word that
// is not part of a greeting, is never recognised.
package remark
