package breaker

import (
	"sync"
	"time"

	"docqa/internal/platform/clock"
)

// Verdict is what a call says about its provider.
type Verdict int

// The verdicts of calls.
const (
	Unknown Verdict = iota // nothing: the call was given up, or it alone was refused
	Good
	Bad
)

// Breaker lets calls through until as many in a row as it stands have failed. Then none goes
// through for the time of rest, and after it one at a time until one is good. Safe for
// concurrent use.
type Breaker struct {
	clock clock.Clock
	most  int
	rest  time.Duration

	mu       sync.Mutex
	failures int
	until    time.Time
	probing  bool
}

// New returns a breaker that opens for the time of rest after most failures in a row.
func New(c clock.Clock, most int, rest time.Duration) *Breaker {
	return &Breaker{clock: c, most: most, rest: rest}
}

// Allow tells whether a call may be made; each that may must be followed by Done.
func (b *Breaker) Allow() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures < b.most {
		return true
	}
	if b.probing || b.clock.Now().Before(b.until) {
		return false
	}
	b.probing = true
	return true
}

// Done says how a call went.
func (b *Breaker) Done(v Verdict) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.probing = false
	switch v {
	case Good:
		b.failures = 0
	case Bad:
		b.failures++
		b.until = b.clock.Now().Add(b.rest)
	case Unknown:
	}
}
