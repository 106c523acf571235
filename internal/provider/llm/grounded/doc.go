// Package grounded makes an llm.Model from a provider's client: it writes the prompt from the
// files in prompts/, and removes from the answer what the passages do not support.
//
// It selects no passages and makes no request itself: the client does. Its invariants: a
// document's text stands in a prompt only between marks that the text cannot close; without
// passages no call is made; of an answer's markers and addresses only those remain that the
// passages in the prompt hold; with strict grounding, a text that cites no passage is no
// answer, and no word of it is handed on.
package grounded
