// Package scenario tests behaviour that involves several APIs: deletion, a change to a smaller
// plan, repeated calls with one Idempotency-Key, ids of other companies.
package scenario
