// Package grounded makes an llm.Model from a provider's client: it writes the prompt from the
// files in prompts/, and makes an answer of the reply while it comes.
//
// It selects no passages and makes no request itself: the client does. Its invariants: a
// document's text stands in a prompt only between marks that the text cannot close; without
// passages no call is made; every marker of an answer names a passage in the prompt; no renderer
// makes a link of an answer but of addresses that the passages, the question or the
// organisation's instructions hold; code of a reply stays as it is; an answer does not depend on
// how the provider divided the reply; with strict grounding, no word is handed on before a
// sentence cites a passage or a passage holds it.
//
// Source: docs/adr/0032-hosted-replies.md.
package grounded
