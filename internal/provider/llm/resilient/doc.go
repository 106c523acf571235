// Package resilient puts the policy of package resilience around a client that streams, and
// bounds how long the provider may send nothing.
//
// It knows no provider. Its invariant: a call whose first fragment was emitted is never
// repeated, and clients may see every error that it returns.
package resilient
