// Package breaker leaves a provider alone for a while that keeps failing.
//
// It makes no calls itself. Its invariant: while the provider rests, and while one call tries
// whether it has recovered, no other call is allowed.
package breaker
