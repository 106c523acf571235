// Package grounded makes an llm.Model of a provider's client: it writes the prompt from
// the files in prompts/, and lets through of the answer only what the passages bear.
//
// It chooses no passages and calls no provider by itself. Its invariants: a document's
// text stands in a prompt only between marks that the text cannot close; without
// passages no call is made; of an answer's markers and addresses those remain that the
// passages given to the model hold; with strict grounding, a text that names no passage
// is no answer, and not a word of it is handed on.
package grounded
