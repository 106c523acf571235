package resilience

import (
	"sync"
	"time"

	"docqa/internal/platform/clock"
)

// Health is what an attempt says about its provider.
type Health int

// The healths. Unknown changes nothing: the caller left, or the provider refused this one
// request, and the next request may be accepted.
const (
	Unknown Health = iota
	Good
	Bad
)

// breaker opens after a number of failures in a row and refuses attempts for a time of rest.
// After the rest it allows one attempt at a time until one succeeds. Safe for concurrent use.
//
// failsafe-go's breaker is not used: it takes no clock, and it has no outcome that says
// nothing about the provider. A caller who leaves would count as a success (ADR 0033).
type breaker struct {
	clock     clock.Clock
	threshold int
	rest      time.Duration

	mu       sync.Mutex
	failures int // in a row
	until    time.Time
	testing  bool
}

// allow tells whether an attempt may be made; if so, record must follow.
func (b *breaker) allow() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures < b.threshold {
		return true
	}
	if b.testing || b.clock.Now().Before(b.until) {
		return false
	}
	b.testing = true
	return true
}

// record counts the end of an attempt.
func (b *breaker) record(h Health) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.testing = false
	switch h {
	case Good:
		b.failures = 0
	case Bad:
		b.failures++
		b.until = b.clock.Now().Add(b.rest)
	case Unknown:
	}
}
