// Package ttlcache caches the results of look-ups for a short time, so that a burst of
// requests with one credential asks the database once.
//
// It adds three things to otter, which stores, bounds and evicts the entries: times come
// from an injected clock, all values of a group (a company) can be dropped, and a load does
// not fail because one of its callers leaves. Its invariant: after DropGroup returns, no
// value of that group that was read before is returned to a call that begins later.
package ttlcache
