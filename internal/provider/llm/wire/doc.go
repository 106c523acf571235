// Package wire is what the clients of all providers share: one POST, the judgement of
// its status, and server-sent events.
//
// It knows no provider. Its invariant: whatever a provider sends, what is held of it
// is bounded, and every failure is an llm.ProviderError.
package wire
