// Package resilience guards the calls of one hosted provider: it repeats a call that may
// succeed later, bounds how many run at once and how long each may take, and leaves a provider
// that keeps failing alone for a while.
//
// It knows no protocol: the caller classifies the end of every attempt as an Outcome. Its
// invariant: while a provider is left alone, and while one call tests whether it has
// recovered, no other call reaches it.
package resilience
