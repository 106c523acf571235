// Package resilient puts the policy of package resilience around a client that streams, and
// bounds how long the provider may be silent.
//
// It knows no provider. Its invariant: a call whose first fragment was emitted is never
// repeated, and every error is one that our own clients may see.
package resilient
