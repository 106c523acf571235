// Package chat measures answers: whole chats (P2), what the service adds to the call of a model (P1), and many streams at once (P3).
//
// It does not look at what the answers say. Its invariant: what the service adds is computed from steps of the same round.
package chat
