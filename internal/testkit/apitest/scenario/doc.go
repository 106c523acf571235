// Package scenario tests what goes over several APIs: deletion, a smaller plan, repeated
// calls with one Idempotency-Key, ids of other companies.
package scenario
