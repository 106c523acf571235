package resilience

import (
	"sync"
	"time"

	"docqa/internal/platform/clock"
)

// Health is what an attempt says about its provider.
type Health int

// The healths. Unknown changes nothing: the caller left, or the provider refused this one
// request, which another one does not share.
const (
	Unknown Health = iota
	Good
	Bad
)

// breaker opens after a number of failures in a row, for a time of rest. After it, one
// attempt at a time is allowed until one is good. Safe for concurrent use.
//
// It is not failsafe-go's, which takes no clock and knows no attempt that says nothing: a
// caller who leaves would count as a success (ADR 0033).
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
