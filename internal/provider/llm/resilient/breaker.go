package resilient

import (
	"sync"
	"time"

	"docqa/internal/clock"
)

// verdict is what a call says about its provider.
type verdict int

const (
	unknown verdict = iota
	good
	bad
)

// breaker lets calls through until most in a row have failed. Then none goes through
// for the time of rest, and after it one at a time until one is good. Safe for
// concurrent use.
type breaker struct {
	clock clock.Clock
	most  int
	rest  time.Duration

	mu       sync.Mutex
	failures int
	until    time.Time
	probing  bool
}

// allow tells whether a call may be made; each that may must be followed by done.
func (b *breaker) allow() bool {
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

func (b *breaker) done(v verdict) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.probing = false
	switch v {
	case good:
		b.failures = 0
	case bad:
		b.failures++
		b.until = b.clock.Now().Add(b.rest)
	case unknown:
	}
}
